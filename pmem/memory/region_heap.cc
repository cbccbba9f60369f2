#include "pmem/memory/region_heap.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/check.h"
#include "pmem/memory/out_of_medium.h"

namespace hdbench {
namespace {

// Eight sizes a doubling: blocks of nearly one size can stand in for each other, and at most an
// eighth is idle.
std::size_t block_bytes_for(std::size_t bytes) {
  const std::size_t step = std::max(kHugePageBytes, std::bit_floor(bytes) / 8);
  return round_up(bytes, step);
}

}  // namespace

std::size_t RegionHeap::cached_bytes() const {
  const std::lock_guard lock(mutex_);
  return cached_bytes_;
}

void* RegionHeap::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kBigBlockBytes) return allocate_small(bytes, alignment);
  HDB_CHECK(alignment <= kRegionAlignment, "a block that is more aligned than a region");
  const std::size_t block_bytes = block_bytes_for(bytes);
  Region block = take_cached(block_bytes);
  if (block.bytes.empty()) block = map_block(block_bytes);
  void* address = block.bytes.data();
  const std::lock_guard lock(mutex_);
  in_use_.emplace(address, std::move(block));
  return address;
}

void RegionHeap::do_deallocate(void* address, std::size_t bytes, std::size_t alignment) {
  if (bytes < kBigBlockBytes) {
    small_.deallocate(address, bytes, alignment);
    return;
  }
  Region unmapped_after_the_lock;
  const std::lock_guard lock(mutex_);
  auto found = in_use_.find(address);
  HDB_CHECK(found != in_use_.end(), "a block given back that this heap never gave");
  const std::size_t block_bytes = found->second.bytes.size();
  if (cached_bytes_ + block_bytes <= cached_bytes_max_) {
    cached_bytes_ += block_bytes;
    cached_.emplace(block_bytes, std::move(found->second));
  } else {
    unmapped_after_the_lock = std::move(found->second);
  }
  in_use_.erase(found);
}

void* RegionHeap::allocate_small(std::size_t bytes, std::size_t alignment) {
  try {
    return small_.allocate(bytes, alignment);
  } catch (const OutOfMedium&) {
    drop_cache();
    return small_.allocate(bytes, alignment);
  }
}

// A cached block of that size or up to a quarter more; empty when there is none.
Region RegionHeap::take_cached(std::size_t block_bytes) {
  const std::lock_guard lock(mutex_);
  auto found = cached_.lower_bound(block_bytes);
  if (found == cached_.end() || found->first > block_bytes + block_bytes / 4) return {};
  Region block = std::move(found->second);
  cached_bytes_ -= found->first;
  cached_.erase(found);
  return block;
}

Region RegionHeap::map_block(std::size_t block_bytes) {
  auto mapped = source_(block_bytes);
  if (!mapped.ok()) {
    drop_cache();
    mapped = source_(block_bytes);
  }
  if (!mapped.ok()) throw OutOfMedium(mapped.error().message);
  return std::move(mapped).value();
}

void RegionHeap::drop_cache() {
  std::multimap<std::size_t, Region> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(cached_);
  cached_bytes_ = 0;
}

}  // namespace hdbench
