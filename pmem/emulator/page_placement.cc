#include "pmem/emulator/page_placement.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"

namespace hdbench::pmem {
namespace {

constexpr int kRounds = 6;

// SplitMix64's mixing step.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

}  // namespace

PhysicalMemory::PhysicalMemory(const PlacementRule& rule, std::uint64_t sets)
    : rule_(rule), sets_(sets) {
  HDB_CHECK(sets >= 1, "a cache has sets");
  HDB_CHECK(rule.page_bytes >= kPlacedBlockBytes && rule.page_bytes % kPlacedBlockBytes == 0,
            "a page is whole blocks");
  pages_ = std::max<std::uint64_t>(1, rule.physical_bytes / rule.page_bytes);
  const auto bits = static_cast<unsigned>(std::bit_width(pages_ - 1));
  half_bits_ = std::max(1U, (bits + 1) / 2);
}

// A permutation of [0, pages_): a Feistel network over an even number of bits, walked on until it
// lands inside.
std::uint64_t PhysicalMemory::physical_page(std::uint64_t n) const {
  const std::uint64_t half_mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = n >> half_bits_;
    std::uint64_t right = n & half_mask;
    for (int round = 0; round < kRounds; ++round) {
      const std::uint64_t key = rule_.seed * kRounds + static_cast<std::uint64_t>(round);
      const std::uint64_t next = left ^ (mixed(right ^ mixed(key)) & half_mask);
      left = right;
      right = next;
    }
    n = left << half_bits_ | right;
  } while (n >= pages_);
  return n;
}

std::vector<PlacedBlock> PhysicalMemory::place(std::uint64_t blocks) {
  const bool random = rule_.placement == PagePlacement::kRandom;
  const std::uint64_t page_blocks = random ? rule_.page_bytes / kPlacedBlockBytes : 1;
  std::vector<PlacedBlock> placed;
  placed.reserve(blocks);
  std::uint64_t next = next_page_[0].fetch_add((blocks + page_blocks - 1) / page_blocks);
  while (placed.size() < blocks) {
    const std::uint64_t page = random ? physical_page(next % pages_) : next;
    ++next;
    for (std::uint64_t i = 0; i < page_blocks && placed.size() < blocks; ++i) {
      const std::uint64_t physical = page * page_blocks + i;
      placed.push_back({static_cast<std::uint32_t>(physical % sets_),
                        static_cast<std::uint32_t>(physical / sets_)});
    }
  }
  return placed;
}

}  // namespace hdbench::pmem
