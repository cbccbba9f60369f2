#include "pmem/memory/region_heap.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

#include "engine/base/check.h"

namespace hdbench::pmem {
namespace {

std::size_t block_bytes_for(std::size_t bytes, std::size_t alignment) {
  HDB_CHECK(bytes <= SlabResource::kBlockBytesMax && alignment <= kRegionAlignment,
            "a block that is too large or too aligned for a slab");
  return std::bit_ceil(std::max({bytes, alignment, SlabResource::kBlockBytesMin}));
}

std::size_t list_of(std::size_t block_bytes) {
  return static_cast<std::size_t>(std::countr_zero(block_bytes / SlabResource::kBlockBytesMin));
}

std::size_t block_bytes_for(std::size_t bytes) { return round_up(bytes, kHugePageBytes); }

}  // namespace

void* SlabResource::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t block_bytes = block_bytes_for(bytes, alignment);
  const std::lock_guard lock(mutex_);
  FreeBlock*& head = free_[list_of(block_bytes)];
  if (head != nullptr) {
    FreeBlock* block = head;
    head = block->next;
    return block;
  }
  std::size_t start = round_up(used_bytes_, std::min(block_bytes, kRegionAlignment));
  if (slabs_.empty() || start + block_bytes > kSlabBytes) {
    auto slab = source_(kSlabBytes);
    if (!slab.ok()) throw OutOfMedium(slab.error().message);
    slabs_.push_back(std::move(slab).value());
    start = 0;
  }
  used_bytes_ = start + block_bytes;
  return slabs_.back().bytes.data() + start;
}

void SlabResource::do_deallocate(void* address, std::size_t bytes, std::size_t alignment) {
  const std::size_t block_bytes = block_bytes_for(bytes, alignment);
  const std::lock_guard lock(mutex_);
  FreeBlock*& head = free_[list_of(block_bytes)];
  head = new (address) FreeBlock{head};
}

std::size_t RegionHeap::cached_bytes() const {
  const std::lock_guard lock(mutex_);
  return free_bytes_;
}

void* RegionHeap::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kBigBlockBytes) return allocate_small(bytes, alignment);
  HDB_CHECK(alignment <= kRegionAlignment, "a block that is more aligned than a region");
  const std::size_t block_bytes = block_bytes_for(bytes);
  {
    const std::lock_guard lock(mutex_);
    if (std::byte* const block = take_best_fit(block_bytes)) return block;
  }
  return map_region(block_bytes);
}

void RegionHeap::do_deallocate(void* address, std::size_t bytes, std::size_t alignment) {
  if (bytes < kBigBlockBytes) {
    small_.deallocate(address, bytes, alignment);
    return;
  }
  auto* const begin = static_cast<std::byte*>(address);
  Region unmapped_after_the_lock;
  const std::lock_guard lock(mutex_);
  add_free(begin, block_bytes_for(bytes));
  const auto region = region_of(begin);
  if (free_bytes_ <= kept_bytes_max_ || !is_whole(region->second)) return;
  erase_free(free_by_address_.find(region->first));
  unmapped_after_the_lock = std::move(region->second);
  regions_.erase(region);
}

void* RegionHeap::allocate_small(std::size_t bytes, std::size_t alignment) {
  try {
    return small_.allocate(bytes, alignment);
  } catch (const OutOfMedium&) {
    trim();
    return small_.allocate(bytes, alignment);
  }
}

// The smallest free block that is large enough; what is left of it stays free.
std::byte* RegionHeap::take_best_fit(std::size_t bytes) {
  const auto best = free_by_size_.lower_bound({bytes, nullptr});
  if (best == free_by_size_.end()) return nullptr;
  const auto [free_bytes, begin] = *best;
  erase_free(free_by_address_.find(begin));
  if (free_bytes > bytes) add_free(begin + bytes, free_bytes - bytes);
  return begin;
}

// Joins it with its free neighbours of the same region.
void RegionHeap::add_free(std::byte* begin, std::size_t bytes) {
  const Region& region = region_of(begin)->second;
  const std::byte* const region_end = region.bytes.data() + region.bytes.size();
  const auto next = free_by_address_.find(begin + bytes);
  if (next != free_by_address_.end() && next->first < region_end) {
    bytes += next->second;
    erase_free(next);
  }
  auto before = free_by_address_.lower_bound(begin);
  if (before != free_by_address_.begin()) {
    --before;
    if (before->first + before->second == begin && before->first >= region.bytes.data()) {
      begin = before->first;
      bytes += before->second;
      erase_free(before);
    }
  }
  free_by_address_.emplace(begin, bytes);
  free_by_size_.emplace(bytes, begin);
  free_bytes_ += bytes;
}

void RegionHeap::erase_free(std::map<std::byte*, std::size_t>::iterator block) {
  free_bytes_ -= block->second;
  free_by_size_.erase({block->second, block->first});
  free_by_address_.erase(block);
}

std::map<std::byte*, Region>::iterator RegionHeap::region_of(std::byte* address) {
  const auto after = regions_.upper_bound(address);
  HDB_CHECK(after != regions_.begin(), "a block given back that this heap never gave");
  return std::prev(after);
}

bool RegionHeap::is_whole(const Region& region) const {
  const auto free = free_by_address_.find(region.bytes.data());
  return free != free_by_address_.end() && free->second == region.bytes.size();
}

std::byte* RegionHeap::map_region(std::size_t bytes) {
  auto mapped = source_(bytes);
  if (!mapped.ok()) {
    trim();
    mapped = source_(bytes);
  }
  if (!mapped.ok()) throw OutOfMedium(mapped.error().message);
  std::byte* const begin = mapped->bytes.data();
  const std::lock_guard lock(mutex_);
  regions_.emplace(begin, std::move(*mapped));
  return begin;
}

void RegionHeap::trim() {
  std::vector<Region> unmapped_after_the_lock;
  const std::lock_guard lock(mutex_);
  for (auto region = regions_.begin(); region != regions_.end();) {
    const auto next = std::next(region);
    if (is_whole(region->second)) {
      erase_free(free_by_address_.find(region->first));
      unmapped_after_the_lock.push_back(std::move(region->second));
      regions_.erase(region);
    }
    region = next;
  }
}

}  // namespace hdbench::pmem
