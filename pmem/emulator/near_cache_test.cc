#include "pmem/emulator/near_cache.h"

#include <array>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

constexpr std::uint64_t kCacheBlocks = 64;

NearCache exact_cache(std::uint64_t blocks, std::uint32_t line_bytes = 64) {
  return NearCache({blocks * kPlacedBlockBytes, line_bytes, false});
}

NearTransactions scan(NearCache& cache, const std::vector<PlacedBlock>& blocks, AccessKind kind) {
  NearTransactions moved;
  for (const PlacedBlock& block : blocks) {
    if (cache.follows(block.set)) cache.access(block, {kind, ~std::uint64_t{0}, true}, moved);
  }
  return moved;
}

double hit_rate(const NearTransactions& moved) {
  return static_cast<double>(moved.hits) / static_cast<double>(moved.lines);
}

TEST_CASE("each request moves what the table says") {
  NearCache cache = exact_cache(1);
  const auto moved_by = [&](std::uint32_t tag, AccessKind kind, bool full) {
    NearTransactions moved;
    cache.access({0, tag}, {kind, 2, full}, moved);
    return std::array<std::uint64_t, 4>{moved.near_read_bytes / 64, moved.near_write_bytes / 64,
                                        moved.far_read_bytes / 64, moved.far_write_bytes / 64};
  };
  using Moves = std::array<std::uint64_t, 4>;
  CHECK(moved_by(0, AccessKind::kRead, true) == Moves{1, 1, 1, 0});    // miss
  CHECK(moved_by(0, AccessKind::kRead, true) == Moves{1, 0, 0, 0});    // hit
  CHECK(moved_by(0, AccessKind::kWrite, true) == Moves{1, 1, 0, 0});   // hit, dirty now
  CHECK(moved_by(0, AccessKind::kRead, true) == Moves{1, 0, 0, 0});    // hit, still dirty
  CHECK(moved_by(1, AccessKind::kRead, true) == Moves{1, 1, 1, 1});    // dirty victim
  CHECK(moved_by(2, AccessKind::kWrite, true) == Moves{1, 1, 0, 0});   // full-line write, clean
  CHECK(moved_by(3, AccessKind::kWrite, true) == Moves{1, 1, 0, 1});   // and dirty victim
  CHECK(moved_by(4, AccessKind::kWrite, false) == Moves{1, 1, 1, 1});  // part of a line
  cache.clear();
  CHECK(moved_by(4, AccessKind::kRead, true) == Moves{1, 1, 1, 0});
}

TEST_CASE("cyclic scan of contiguous memory: 1, (2C - D) / D, 0") {
  for (const std::uint64_t data : {1U, 32U, 64U, 65U, 80U, 96U, 127U, 128U, 200U, 640U}) {
    NearCache cache = exact_cache(kCacheBlocks);
    PhysicalMemory memory({}, cache.sets());
    const auto blocks = memory.place(data);
    scan(cache, blocks, AccessKind::kRead);
    const double rate = hit_rate(scan(cache, blocks, AccessKind::kRead));
    const double c = kCacheBlocks;
    const auto d = static_cast<double>(data);
    const double expected = d <= c ? 1 : std::max(0.0, (2 * c - d) / d);
    CAPTURE(data);
    CHECK(rate == Approx(expected).margin(1e-12));
  }
}

TEST_CASE("cyclic scan of pages placed at random: (1 - N/M)^(k-1)") {
  constexpr std::uint64_t kSets = 8192;
  for (const double load : {0.25, 0.5, 1.0, 2.0}) {
    for (const std::uint64_t k : {4U, 16U}) {
      NearCache cache = exact_cache(kSets);
      PlacementRule rule{PagePlacement::kRandom, kPlacedBlockBytes, k * kSets * kPlacedBlockBytes,
                         11};
      PhysicalMemory memory(rule, cache.sets());
      const auto blocks = memory.place(static_cast<std::uint64_t>(load * kSets));
      scan(cache, blocks, AccessKind::kRead);
      const double rate = hit_rate(scan(cache, blocks, AccessKind::kRead));
      const auto copies = static_cast<double>(k);
      CAPTURE(load, k);
      CHECK(rate == Approx(std::pow(1 - load / copies, copies - 1)).margin(0.025));
    }
  }
}

TEST_CASE("uniform random reads of contiguous memory hit C / D") {
  for (const std::uint64_t data : {32U, 64U, 128U, 256U}) {
    NearCache cache = exact_cache(kCacheBlocks);
    PhysicalMemory memory({}, cache.sets());
    const auto blocks = memory.place(data);
    std::mt19937_64 random(3);
    NearTransactions moved;
    for (int i = 0; i < 400000; ++i) {
      if (i == 200000) moved = {};
      const std::uint64_t draw = random();
      cache.access(blocks[draw % data], {AccessKind::kRead, std::uint64_t{1} << (draw >> 58), true},
                   moved);
    }
    CAPTURE(data);
    CHECK(hit_rate(moved) ==
          Approx(std::min(1.0, kCacheBlocks / static_cast<double>(data))).margin(0.01));
  }
}

TEST_CASE("scans at D = 2C move 1 1 1 0 a line when they read, 1 1 0 1 when they write") {
  for (const bool sampled : {false, true}) {
    NearCache cache({512 * kPlacedBlockBytes, 64, sampled});
    PhysicalMemory memory({}, cache.sets());
    const auto blocks = memory.place(1024);
    const std::uint64_t bytes = 1024 * kPlacedBlockBytes;
    scan(cache, blocks, AccessKind::kRead);
    const NearTransactions read = scan(cache, blocks, AccessKind::kRead);
    CHECK(read.near_read_bytes == bytes);
    CHECK(read.near_write_bytes == bytes);
    CHECK(read.far_read_bytes == bytes);
    CHECK(read.far_write_bytes == 0);
    scan(cache, blocks, AccessKind::kWrite);
    const NearTransactions written = scan(cache, blocks, AccessKind::kWrite);
    CHECK(written.near_read_bytes == bytes);
    CHECK(written.near_write_bytes == bytes);
    CHECK(written.far_read_bytes == 0);
    CHECK(written.far_write_bytes == bytes);
  }
}

TEST_CASE("a sampled cache agrees with the exact one, on contiguous and on random pages") {
  constexpr std::uint64_t kSets = 16384;
  for (const PagePlacement placement : {PagePlacement::kContiguous, PagePlacement::kRandom}) {
    double rates[2];
    for (const bool sampled : {false, true}) {
      NearCache cache({kSets * kPlacedBlockBytes, 64, sampled});
      PhysicalMemory memory({placement, kPlacedBlockBytes, 8 * kSets * kPlacedBlockBytes, 5},
                            cache.sets());
      const auto blocks = memory.place(kSets * 3 / 2);
      scan(cache, blocks, AccessKind::kRead);
      rates[sampled ? 1 : 0] = hit_rate(scan(cache, blocks, AccessKind::kRead));
    }
    CHECK(rates[1] == Approx(rates[0]).margin(0.03));
  }
}

TEST_CASE("a line of 4096 bytes moves whole on a miss, and in 64 bytes on a hit") {
  NearCache cache = exact_cache(4, 4096);
  NearTransactions moved;
  cache.access({1, 0}, {AccessKind::kRead, 1, true}, moved);
  CHECK(moved.far_read_bytes == 4096);
  CHECK(moved.near_write_bytes == 4096);
  moved = {};
  cache.access({1, 0}, {AccessKind::kRead, 6, true}, moved);
  CHECK(moved.hits == 1);
  CHECK(moved.near_read_bytes == 128);
  CHECK(moved.far_read_bytes == 0);
  moved = {};
  cache.access({2, 0}, {AccessKind::kWrite, 1, true}, moved);
  CHECK(moved.far_read_bytes == 4096);  // the rest of the line
}

TEST_CASE("many threads look up at once and no line is lost") {
  NearCache cache = exact_cache(16);
  PhysicalMemory memory({}, cache.sets());
  const auto blocks = memory.place(32);
  std::vector<NearTransactions> moved(4);
  std::vector<std::thread> threads;
  for (auto& mine : moved) {
    threads.emplace_back([&] {
      for (int pass = 0; pass < 50; ++pass) {
        for (const PlacedBlock& block : blocks) {
          cache.access(block, {AccessKind::kRead, ~std::uint64_t{0}, true}, mine);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  NearTransactions sum;
  for (const auto& one : moved) {
    sum.lines += one.lines;
    sum.hits += one.hits;
    sum.far_read_bytes += one.far_read_bytes;
  }
  CHECK(sum.lines == 4 * 50 * 32 * 64);
  CHECK(sum.far_read_bytes == (sum.lines - sum.hits) * 64);
}

}  // namespace
}  // namespace hdbench::pmem
