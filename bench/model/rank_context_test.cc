#include "bench/model/rank_context.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

MemoryCeilings ceilings(std::size_t threads, const std::vector<MemoryRound>& rounds) {
  MemoryCeilings all;
  all.by_threads.push_back(summarise_rounds(threads, rounds));
  return all;
}

TEST_CASE("ranks' rates add up round by round, and latencies are means") {
  MemoryRound slow;
  slow.read_gb_s = 10;
  slow.chase_ns = 100;
  slow.slowest_share = 0.5;
  MemoryRound fast = slow;
  fast.read_gb_s = 20;
  fast.chase_ns = 50;
  fast.slowest_share = 0.9;
  const MemoryCeilings sum = sum_of_ranks({ceilings(2, {slow, fast}), ceilings(2, {fast})});
  REQUIRE(sum.of(2) != nullptr);
  CHECK(sum.of(2)->rounds == 1);
  CHECK(sum.of(2)->read_gb_s.best == 30);
  CHECK(sum.of(2)->chase_ns.best == 75);
  CHECK(sum.of(2)->slowest_share == 0.5);
  CHECK(sum_of_ranks({ceilings(2, {slow}), ceilings(1, {slow})}).by_threads.empty());
}

TEST_CASE("a host's caches count once, however many ranks it has") {
  RankContext one;
  one.host.host_name = "a";
  one.host.cpus = 1;
  one.host.caches.push_back({3, "Unified", 1 << 20, 1, 64});
  RankContext other = one;
  const std::uint64_t alone = last_level_bytes_of({one});
  CHECK(alone > 0);
  CHECK(last_level_bytes_of({one, other}) == alone);
  other.host.host_name = "b";
  CHECK(last_level_bytes_of({one, other}) == 2 * alone);
}

TEST_CASE("times of ranks are kept repetition by repetition") {
  RankCellTimes times{{0}, {1}, {2}, {3}};
  add_times(times, {{4}, {5}, {6}, {7}});
  CHECK(times.map == std::vector<double>{1, 5});
  keep_times(times, 1);
  CHECK(times.transfer == std::vector<double>{3});
}

}  // namespace
}  // namespace hdbench::bench
