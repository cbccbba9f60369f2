#include "pmem/emulator/near_cache.h"

#include <algorithm>
#include <array>
#include <bit>
#include <thread>

#include "engine/base/check.h"

namespace hdbench::pmem {
namespace {

constexpr std::uint32_t kDirty = 1;
constexpr std::uint32_t kNearLineBytes = 64;
constexpr int kSpins = 1000;
constexpr int kTriesMost = 1'000'000;
constexpr std::uint64_t kAllLines = ~std::uint64_t{0};

struct LineCounts {
  std::uint32_t hits = 0;
  std::uint32_t victims = 0;
};

// One line after the other; the loop is plain so that the compiler makes vectors of it.
LineCounts access_each(std::uint32_t* tags, std::uint32_t lines, std::uint32_t held, bool write) {
  const std::uint32_t write_bit = write ? kDirty : 0;
  LineCounts counts;
  for (std::uint32_t i = 0; i < lines; ++i) {
    const std::uint32_t was = tags[i];
    const std::uint32_t hit = (was & ~kDirty) == held ? 1 : 0;
    counts.hits += hit;
    counts.victims += (was & kDirty) & (hit ^ 1);
    tags[i] = held | write_bit | (was & kDirty & (0U - hit));
  }
  return counts;
}

// All lines of a block. Where all hold the same, as scans leave them, one line tells for all, and a
// hit need not write.
LineCounts access_all(std::uint32_t* tags, std::uint32_t lines, std::uint32_t held, bool write) {
  std::uint32_t differs = 0;
  const std::uint32_t first = tags[0];
  for (std::uint32_t i = 0; i < lines; ++i) differs |= tags[i] ^ first;
  if (differs != 0) return access_each(tags, lines, held, write);
  std::uint32_t now = first;
  const LineCounts one = access_each(&now, 1, held, write);
  if (now != first) std::fill(tags, tags + lines, now);
  return {one.hits * lines, one.victims * lines};
}

constexpr std::uint32_t kPartLines = 16;

// Those lines of 16 whose bit is set; as access_each(), without a branch on the bits.
LineCounts access_part(std::uint32_t* tags, std::uint32_t mask, std::uint32_t held, bool write) {
  static constexpr std::array<std::uint32_t, kPartLines> kBits = {
      1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  const std::uint32_t write_bit = write ? kDirty : 0;
  LineCounts counts;
  for (std::uint32_t i = 0; i < kPartLines; ++i) {
    const std::uint32_t accessed = (mask & kBits[i]) != 0 ? ~0U : 0;
    const std::uint32_t was = tags[i];
    const std::uint32_t hit = (was & ~kDirty) == held ? ~0U : 0;
    counts.hits += hit & accessed & 1;
    counts.victims += was & kDirty & ~hit & accessed;
    const std::uint32_t now = held | write_bit | (was & kDirty & hit);
    tags[i] = (now & accessed) | (was & ~accessed);
  }
  return counts;
}

LineCounts access_some(std::uint32_t* tags, std::uint64_t mask, std::uint32_t held, bool write) {
  constexpr std::uint64_t kPart = (std::uint64_t{1} << kPartLines) - 1;
  LineCounts counts;
  for (; mask != 0; mask >>= kPartLines, tags += kPartLines) {
    const auto part = static_cast<std::uint32_t>(mask & kPart);
    if (part == 0) continue;
    const LineCounts some = std::has_single_bit(part)
                                ? access_each(tags + std::countr_zero(part), 1, held, write)
                                : access_part(tags, part, held, write);
    counts.hits += some.hits;
    counts.victims += some.victims;
  }
  return counts;
}

}  // namespace

std::uint64_t NearCache::followed_blocks(const Shape& shape) {
  const std::uint64_t whole = shape.sampled ? kSampleBlocks : 1;
  return std::max<std::uint64_t>(1, shape.cache_bytes / (kPlacedBlockBytes * whole));
}

std::uint64_t NearCache::tag_bytes(const Shape& shape) {
  return followed_blocks(shape) * (kPlacedBlockBytes / shape.line_bytes) * sizeof(std::uint32_t);
}

NearCache::NearCache(const Shape& shape)
    : shape_(shape), tags_(followed_blocks(shape) * (kPlacedBlockBytes / shape.line_bytes)) {
  HDB_CHECK(shape.line_bytes == 64 || shape.line_bytes == kPlacedBlockBytes, "lines of 64 or 4096");
  HDB_CHECK(shape.cache_bytes <= kBytesMax, "sets have 32-bit numbers");
  sets_ = followed_blocks(shape) * (shape.sampled ? kSampleBlocks : 1);
  block_lines_ = static_cast<std::uint32_t>(kPlacedBlockBytes / shape.line_bytes);
}

void NearCache::clear() { tags_.clear(); }

void NearCache::expect(const PlacedBlock& block, std::uint64_t line_mask) const {
  constexpr std::uint32_t kTagsALine = 64 / sizeof(std::uint32_t);
  const std::uint32_t* tags = tags_.data() + stored_of(block.set) * block_lines_;
  for (std::uint32_t i = 0; i < block_lines_; i += kTagsALine) {
    if ((line_mask >> i & ((1U << kTagsALine) - 1)) != 0) __builtin_prefetch(tags + i, 1);
  }
}

void NearCache::access(const PlacedBlock& block, const Request& request, NearTransactions& moved) {
  HDB_DCHECK(follows(block.set), "a block that is not followed has no tags");
  if (request.line_mask == 0) return;
  const bool write = request.kind == AccessKind::kWrite;
  const std::uint32_t held = (block.tag + 1) * 2;
  const std::uint64_t stored = stored_of(block.set);
  std::uint32_t* tags = tags_.data() + stored * block_lines_;
  const bool one_line = block_lines_ == 1;
  LineCounts counts;
  {
    std::atomic_flag& lock = locks_[stored % kLocks].taken;
    // A process that was killed may have left it taken: then a line's tag may be torn, no more.
    for (int tries = 0; lock.test_and_set(std::memory_order_acquire) && tries < kTriesMost;
         ++tries) {
      if (tries > kSpins) std::this_thread::yield();
    }
    counts = one_line || request.line_mask == kAllLines
                 ? access_all(tags, block_lines_, held, write)
                 : access_some(tags, request.line_mask, held, write);
    lock.clear(std::memory_order_release);
  }
  const auto accessed = static_cast<std::uint64_t>(std::popcount(request.line_mask));
  const std::uint64_t lines = one_line ? 1 : accessed;
  const std::uint64_t misses = lines - counts.hits;
  const bool fetches =
      !write || !request.full_lines || (one_line && request.line_mask != kAllLines);
  const std::uint64_t scale = shape_.sampled ? kSampleBlocks : 1;
  const std::uint64_t near_bytes = accessed * kNearLineBytes * scale;
  const std::uint64_t missed_bytes = misses * shape_.line_bytes * scale;
  moved.near_read_bytes += near_bytes;
  if (write) moved.near_write_bytes += near_bytes;
  // A write of a 64-byte line is the fill as well.
  if (!write || (one_line && fetches)) moved.near_write_bytes += missed_bytes;
  if (fetches) moved.far_read_bytes += missed_bytes;
  const bool swaps = shape_.policy == NearPolicy::kExclusive;
  moved.far_write_bytes += (swaps ? misses : counts.victims) * shape_.line_bytes * scale;
  moved.lines += lines * scale;
  moved.hits += counts.hits * scale;
}

}  // namespace hdbench::pmem
