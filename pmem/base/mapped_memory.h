// A memory mapping that is unmapped on destruction, with its properties.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hdbench::pmem {

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

// Anonymous memory that no space is reserved for, as mmap gives it (MAP_FAILED, errno): mmap knows
// no alignment, so more is mapped, and what lies before and after is given back.
inline void* map_aligned(std::size_t bytes, std::size_t alignment, int protection) {
  const std::size_t slack = alignment > page_bytes() ? alignment : 0;
  void* mapped = ::mmap(nullptr, bytes + slack, protection,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED || slack == 0) return mapped;
  auto* low = static_cast<std::byte*>(mapped);
  const std::size_t before = (slack - reinterpret_cast<std::uintptr_t>(low) % slack) % slack;
  if (before > 0) ::munmap(low, before);
  if (slack > before) ::munmap(low + before + bytes, slack - before);
  return low + before;
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

}  // namespace hdbench::pmem
