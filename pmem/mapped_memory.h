// A memory mapping that unmaps itself.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <span>

namespace hdbench {

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
