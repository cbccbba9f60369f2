// A memory mapping that is unmapped on destruction, with its properties.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hdbench {

// The size of the kernel's small pages.
inline std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

// The whole pages that hold these bytes.
inline std::span<std::byte> whole_pages(std::span<const std::byte> bytes) {
  const std::size_t lead = reinterpret_cast<std::uintptr_t>(bytes.data()) % page_bytes();
  return {const_cast<std::byte*>(bytes.data()) - lead,
          (bytes.size() + lead + page_bytes() - 1) / page_bytes() * page_bytes()};
}

class MappedMemory {
 public:
  // Owns [address, address + bytes), which mmap gave.
  MappedMemory(void* address, std::size_t bytes)
      : bytes_(static_cast<std::byte*>(address), bytes) {}
  ~MappedMemory() { ::munmap(bytes_.data(), bytes_.size()); }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

}  // namespace hdbench
