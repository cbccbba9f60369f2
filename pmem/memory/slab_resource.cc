#include "pmem/memory/slab_resource.h"

#include <algorithm>
#include <bit>
#include <new>

#include "engine/base/check.h"
#include "pmem/memory/out_of_medium.h"

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

}  // namespace hdbench::pmem
