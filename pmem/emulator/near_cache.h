// Memory Mode: the tags of a direct-mapped, write-back cache of near memory before a far device.
//
// Which line a set holds is all that is kept. Blocks of 4096 bytes are looked at whole: 64 lines of
// 64 bytes in consecutive sets, or one line of 4096. Transactions (near read, near write, far read,
// far write): read hit 1 0 0 0; read miss 1 1 1 0; write hit 1 1 0 0; miss of a full-line write
// 1 1 0 0, of a partial one 1 1 1 0; a dirty victim adds one far write.
//
// An exclusive one (Flat Memory Mode) holds lines that the far memory then lacks: as many sets as
// the near memory has lines, and of the lines of a set one is near. Each miss swaps: the line that
// was near is written to the far memory, dirty or not. Read miss 1 1 1 1; miss of a full-line write
// 1 1 0 1, of a partial one 1 1 1 1.
//
// A large cache is sampled: one block of every 16 is followed and counts for 16. A direct-mapped
// cache's sets know nothing of one another, so the sample is unbiased.
//
// Processes that are forked later share the tags.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/base/meter.h"
#include "pmem/base/shared_array.h"
#include "pmem/emulator/device_profile.h"
#include "pmem/emulator/page_placement.h"

namespace hdbench::pmem {

// Near bytes in lines of 64, far bytes in lines of the cache.
struct NearTransactions {
  std::uint64_t near_read_bytes = 0;
  std::uint64_t near_write_bytes = 0;
  std::uint64_t far_read_bytes = 0;
  std::uint64_t far_write_bytes = 0;
  std::uint64_t lines = 0;  // looked up, scaled as the rest
  std::uint64_t hits = 0;
};

class NearCache {
 public:
  struct Shape {
    std::uint64_t cache_bytes = 0;  // rounded down to whole blocks (16 blocks if sampled)
    std::uint32_t line_bytes = 64;  // 64 or 4096
    bool sampled = false;
    NearPolicy policy = NearPolicy::kInclusive;
  };

  // Caches above this many bytes are worth sampling.
  static constexpr std::uint64_t kExactBytesMax = std::uint64_t{64} << 20;

  // The least that makes a cache, and the most whose sets have 32-bit numbers (16 TiB).
  static constexpr std::uint64_t kBytesMin = kPlacedBlockBytes;
  static constexpr std::uint64_t kBytesMax = kPlacedBlockBytes << 32;

  // The memory of this host that such a cache's tags take.
  static std::uint64_t tag_bytes(const Shape& shape);

  explicit NearCache(const Shape& shape);

  // The number of block sets, for page placement.
  std::uint64_t sets() const { return sets_; }

  // Whether a block in this set is followed; those that are not need not be looked up.
  bool follows(std::uint32_t set) const {
    return !shape_.sampled || set % kSampleBlocks == sampled_of_group(set / kSampleBlocks);
  }

  struct Request {
    AccessKind kind = AccessKind::kRead;
    std::uint64_t line_mask = ~std::uint64_t{0};  // which 64-byte lines of the block
    bool full_lines = true;                       // a write overwrites its lines whole
  };
  // Adds what this request moves, times 16 in a sampled cache. Many threads may ask at once.
  // Requires follows(block.set).
  void access(const PlacedBlock& block, const Request& request, NearTransactions& moved);

  // Has the tags of these lines fetched into the host's own cache: they are as far apart as the
  // blocks, and a large cache's tags are megabytes. Requires follows(block.set).
  void expect(const PlacedBlock& block, std::uint64_t line_mask) const;

  // Forgets everything. Not while others ask.
  void clear();

 private:
  static constexpr std::uint32_t kSampleBlocks = 16;
  static constexpr std::size_t kLocks = 1024;
  static std::uint64_t followed_blocks(const Shape& shape);
  struct alignas(64) Lock {
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
  };

  // Spreads the followed blocks over their groups, so that no stride of addresses meets them all.
  static std::uint32_t sampled_of_group(std::uint32_t group) { return (group * 0x9E3779B1U) >> 28; }

  std::uint64_t stored_of(std::uint32_t set) const {
    return shape_.sampled ? set / kSampleBlocks : set;
  }

  Shape shape_;
  std::uint64_t sets_;         // blocks
  std::uint32_t block_lines_;  // tags a block
  // 0: empty; else (tag + 1) * 2 + dirty.
  SharedArray<std::uint32_t> tags_;
  SharedArray<Lock> locks_{kLocks};
};

}  // namespace hdbench::pmem
