// A heap over a medium: a memory resource whose pages stay its own.
//
// Like kdb+'s heap it keeps what is freed, so that a later query does not fault the same pages in
// again. Big blocks (2 MiB and more) are cut from regions of the medium and joined with their free
// neighbours when they are freed: what one query has touched serves the next, whatever sizes it
// asks for. Smaller blocks are allocated from slabs. Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory_resource>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pmem/base/region_source.h"

namespace hdbench::pmem {

// Thrown by a medium's heap when the medium is full: a std::bad_alloc with the reason.
class OutOfMedium : public std::bad_alloc {
 public:
  explicit OutOfMedium(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

// A heap for small blocks in a medium's memory: sizes are powers of two, allocated from slabs, with
// a free list for each size.
//
// Used for what results need besides their columns. Slabs are returned to the medium when the heap
// is destroyed. Thread-safe.
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

class RegionHeap final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t kBigBlockBytes = kHugePageBytes;

  // kept_bytes_max: of free big blocks; a region that is wholly free is given back beyond that.
  explicit RegionHeap(RegionSource source,
                      std::size_t kept_bytes_max = std::numeric_limits<std::size_t>::max())
      : source_(std::move(source)), kept_bytes_max_(kept_bytes_max), small_(source_) {}

  // Bytes of free big blocks.
  std::size_t cached_bytes() const;
  // Gives back the regions that are wholly free.
  void trim();

 private:
  // Address and bytes of a free block; ordered by size for the best fit.
  using Free = std::pair<std::size_t, std::byte*>;

  // Throws OutOfMedium when the source has no more, even after what is free was given back.
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* address, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  void* allocate_small(std::size_t bytes, std::size_t alignment);
  // Maps a region of that many bytes and returns its first byte, as one used block.
  std::byte* map_region(std::size_t bytes);

  // These require the lock.
  std::byte* take_best_fit(std::size_t bytes);
  void add_free(std::byte* begin, std::size_t bytes);
  void erase_free(std::map<std::byte*, std::size_t>::iterator block);
  // The region around this address.
  std::map<std::byte*, Region>::iterator region_of(std::byte* address);
  bool is_whole(const Region& region) const;

  RegionSource source_;
  std::size_t kept_bytes_max_;
  SlabResource small_;
  mutable std::mutex mutex_;
  std::map<std::byte*, Region> regions_;  // by their first byte
  std::map<std::byte*, std::size_t> free_by_address_;
  std::set<Free> free_by_size_;
  std::size_t free_bytes_ = 0;
};

}  // namespace hdbench::pmem
