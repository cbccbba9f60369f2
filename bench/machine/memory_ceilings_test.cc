#include "bench/machine/memory_ceilings.h"

#include "engine/base/catch.h"
#include "engine/testing/made_workers.h"

namespace hdbench::bench {
namespace {

TEST_CASE("the best of the rounds is the most GB/s and the fewest ns, the ceiling is near it") {
  MemoryRound slow, usual, fast;
  slow.read_gb_s = 10;
  usual.read_gb_s = 30;
  fast.read_gb_s = 31;
  slow.chase_ns = 300;
  usual.chase_ns = 110;
  fast.chase_ns = 100;
  const ThreadCeilings all = summarise_rounds(2, {usual, slow, fast});
  CHECK(all.threads == 2);
  CHECK(all.rounds == 3);
  CHECK(all.read_gb_s.median == 30);
  CHECK(all.read_gb_s.best == 31);
  CHECK(all.read_gb_s.high == Approx(30.8));
  CHECK(all.chase_ns.high == Approx(102));
  CHECK(all.chase_ns.median == 110);
  CHECK(all.chase_ns.best == 100);
}

TEST_CASE("an untimed round's figures are not kept, and a run's are those of its placements") {
  OnePool pools;
  CeilingRounds one(1 << 20, 1 << 21);
  REQUIRE(one.warm_up(pools, {1}).ok());
  CHECK(one.ceilings().by_threads.empty());
  CHECK(one.ceilings().of(1) == nullptr);
  one.release();
  REQUIRE(one.measure(pools, {1}).ok());
  REQUIRE(one.measure(pools, {1}).ok());
  CeilingRounds other(1 << 20);
  REQUIRE(other.measure(pools, {2, 1}).ok());
  MemoryCeilings all;
  add_rounds(all, CeilingRounds(1 << 20).ceilings());
  CHECK(all.reason == "no round was run");
  add_rounds(all, one.ceilings());
  add_rounds(all, other.ceilings());
  add_rounds(all, CeilingRounds(1 << 20).ceilings());
  CHECK(one.ceilings().of(1)->rounds == 2);
  CHECK(all.of(1)->rounds == 3);
  CHECK(all.of(1)->each.size() == 3);
  CHECK(all.of(2)->rounds == 1);
  CHECK(all.by_threads.front().threads == 1);
  CHECK(all.reason.empty());
  CHECK(all.may_be_cached());
  CHECK_FALSE(other.ceilings().may_be_cached());
}

TEST_CASE("where memory is not available the reason is kept and the run goes on") {
  OnePool pools;
  CeilingRounds rounds(std::size_t{1} << 60);
  REQUIRE(rounds.measure(pools, {1}).ok());
  CHECK(rounds.ceilings().by_threads.empty());
  CHECK(rounds.ceilings().reason.starts_with("dram: "));
}

}  // namespace
}  // namespace hdbench::bench
