// Maps a region's pages to the simulated physical memory behind a near cache.
//
// A direct-mapped cache's hit rate depends on it: neighbours in the region are neighbours in
// physical memory only within a page.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "pmem/base/shared_array.h"

namespace hdbench::pmem {

constexpr std::uint64_t kPlacedBlockBytes = 4096;  // the smallest page

enum class PagePlacement { kContiguous, kRandom };

struct PlacementRule {
  PagePlacement placement = PagePlacement::kContiguous;
  std::uint64_t page_bytes = kPlacedBlockBytes;  // of random placement: 4096 or 2 MiB
  std::uint64_t physical_bytes = 0;  // of random placement: the memory that pages come from
  std::uint64_t seed = 1;
};

// A region's 4096-byte blocks as a cache of so many block sets sees them.
struct PlacedBlock {
  std::uint32_t set = 0;  // physical block mod sets
  std::uint32_t tag = 0;  // physical block / sets
};

// Hands out physical blocks, each once, also to processes that are forked later.
class PhysicalMemory {
 public:
  // sets >= 1: the cache's, in blocks.
  PhysicalMemory(const PlacementRule& rule, std::uint64_t sets);

  // The next `blocks` blocks of memory. Beyond physical_bytes, random placement starts again (two
  // regions then share blocks, as they could not in a machine).
  std::vector<PlacedBlock> place(std::uint64_t blocks);

 private:
  std::uint64_t physical_page(std::uint64_t n) const;

  PlacementRule rule_;
  std::uint64_t sets_;
  std::uint64_t pages_;
  unsigned half_bits_ = 1;
  SharedArray<std::atomic<std::uint64_t>> next_page_{1};
};

// Pages that are shared by a ratio between this host's memory and a device, in turn: local pages
// stay with the host, then far pages lie on the device. Pages have 4096 bytes and are numbered by
// their addresses.
struct PageInterleave {
  std::uint64_t local = 0;  // 0: every page lies on the device
  std::uint64_t far = 1;

  bool is_shared() const { return local > 0; }
  bool is_far(std::uintptr_t address) const {
    return address / kPlacedBlockBytes % (local + far) >= local;
  }
  // How many of the bytes [begin, end) lie on the device.
  std::uint64_t far_bytes(std::uintptr_t begin, std::uintptr_t end) const {
    return far_bytes_before(end) - far_bytes_before(begin);
  }

 private:
  std::uint64_t far_bytes_before(std::uintptr_t address) const {
    const std::uint64_t turn = (local + far) * kPlacedBlockBytes;
    const std::uint64_t rest = address % turn;
    const std::uint64_t of_host = local * kPlacedBlockBytes;
    return address / turn * far * kPlacedBlockBytes + rest - std::min(rest, of_host);
  }
};

}  // namespace hdbench::pmem
