// A heap over a medium: a memory resource that keeps and reuses large blocks, each a region.
//
// Like kdb+'s heap it keeps the pages of freed blocks, up to a limit, so that a later query does
// not fault them in again. Blocks below 2 MiB are allocated from slabs. Thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <unordered_map>

#include "pmem/base/region_source.h"
#include "pmem/memory/slab_resource.h"

namespace hdbench {

class RegionHeap final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t kBigBlockBytes = kHugePageBytes;

  // cached_bytes_max: of freed big blocks.
  RegionHeap(RegionSource source, std::size_t cached_bytes_max)
      : source_(std::move(source)), cached_bytes_max_(cached_bytes_max), small_(source_) {}

  std::size_t cached_bytes() const;

 private:
  // Throws OutOfMedium when the source has no more, even after the cached blocks were given back.
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* address, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  void* allocate_small(std::size_t bytes, std::size_t alignment);
  Region take_cached(std::size_t block_bytes);
  Region map_block(std::size_t block_bytes);
  void drop_cache();

  RegionSource source_;
  std::size_t cached_bytes_max_;
  SlabResource small_;
  mutable std::mutex mutex_;
  std::unordered_map<void*, Region> in_use_;
  std::multimap<std::size_t, Region> cached_;  // by size
  std::size_t cached_bytes_ = 0;
};

}  // namespace hdbench
