// A heap for small blocks in a medium's memory: sizes are powers of two, allocated from slabs, with
// a free list for each size.
//
// Used for what results need besides their columns. Slabs are returned to the medium when the heap
// is destroyed. Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <vector>

#include "pmem/base/region_source.h"

namespace hdbench::pmem {

class SlabResource final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t kBlockBytesMin = 64;
  static constexpr std::size_t kBlockBytesMax = kHugePageBytes;
  static constexpr std::size_t kSlabBytes = std::size_t{8} << 20;

  explicit SlabResource(RegionSource source) : source_(std::move(source)) {}

 private:
  struct FreeBlock {
    FreeBlock* next;
  };

  // Requires: at most kBlockBytesMax bytes, aligned to at most 4096. Throws OutOfMedium.
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* address, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  RegionSource source_;
  std::mutex mutex_;
  std::array<FreeBlock*, 16> free_ = {};  // 64 bytes to 2 MiB
  std::vector<Region> slabs_;
  std::size_t used_bytes_ = 0;  // of the last slab
};

}  // namespace hdbench::pmem
