#include "pmem/emulator/page_placement.h"

#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "engine/base/catch.h"

namespace hdbench::pmem {

TEST_CASE("without a ratio every byte lies on the device") {
  const PageInterleave all;
  CHECK_FALSE(all.is_shared());
  CHECK(all.is_far(0));
  CHECK(all.far_bytes(100, 100) == 0);
  CHECK(all.far_bytes(100, 9000) == 8900);
}

TEST_CASE("pages take turns: three of the host, then one of the device") {
  const PageInterleave shared{3, 1};
  CHECK_FALSE(shared.is_far(0));
  CHECK_FALSE(shared.is_far(3 * 4096 - 1));
  CHECK(shared.is_far(3 * 4096));
  CHECK_FALSE(shared.is_far(4 * 4096));
  CHECK(shared.far_bytes(0, 3 * 4096) == 0);
  CHECK(shared.far_bytes(3 * 4096 - 10, 3 * 4096 + 10) == 10);
  CHECK(shared.far_bytes(0, 400 * 4096) == 100 * 4096);
  // Byte by byte the same.
  std::uint64_t counted = 0;
  for (std::uintptr_t at = 5000; at < 70'000; ++at) counted += shared.is_far(at) ? 1 : 0;
  CHECK(shared.far_bytes(5000, 70'000) == counted);
}

namespace {

TEST_CASE("contiguous blocks follow one another through the sets, region after region") {
  PhysicalMemory memory({}, 4);
  const auto first = memory.place(3);
  const auto second = memory.place(3);
  CHECK(first[2].set == 2);
  CHECK(second[0].set == 3);
  CHECK(second[1].set == 0);
  CHECK(second[1].tag == 1);
}

TEST_CASE("a forked process's blocks are no one else's") {
  PhysicalMemory memory({}, 4);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    memory.place(3);
    ::_exit(0);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(memory.place(1)[0].set == 3);
}

TEST_CASE("random pages are a permutation: each physical page once, the same for the same seed") {
  for (const std::uint64_t pages : {1U, 2U, 3U, 100U, 1000U}) {
    PlacementRule rule{PagePlacement::kRandom, 4096, pages * 4096, 7};
    PhysicalMemory memory(rule, 10);
    std::set<std::uint64_t> seen;
    for (const PlacedBlock& block : memory.place(pages)) seen.insert(block.tag * 10 + block.set);
    CHECK(seen.size() == pages);
    CHECK(*seen.rbegin() == pages - 1);
    PhysicalMemory again(rule, 10);
    PhysicalMemory same(rule, 10);
    CHECK(again.place(1)[0].set == same.place(1)[0].set);
  }
}

TEST_CASE("within a random page of 2 MiB blocks are neighbours") {
  PlacementRule rule{PagePlacement::kRandom, std::uint64_t{2} << 20, std::uint64_t{1} << 30, 3};
  PhysicalMemory memory(rule, 1 << 20);
  const auto blocks = memory.place(1024);
  for (std::size_t i = 1; i < 512; ++i) CHECK(blocks[i].set == blocks[0].set + i);
  CHECK(blocks[512].set != blocks[511].set + 1);
}

}  // namespace
}  // namespace hdbench::pmem
