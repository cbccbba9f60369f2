#include "bench/machine/memory_ceilings.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("without a round there are no ceilings, and it is said") {
  const CeilingRounds rounds(1 << 20);
  CHECK(rounds.ceilings().by_threads.empty());
  CHECK(rounds.ceilings().reason == "no round was run");
  CHECK(rounds.ceilings().of(1) == nullptr);
}

TEST_CASE("a ceiling is the rounds' median; the best is the most GB/s and the fewest ns") {
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
  CHECK(all.chase_ns.median == 110);
  CHECK(all.chase_ns.best == 100);
}

TEST_CASE("every thread count has its own rounds") {
  OnePool pools;
  CeilingRounds rounds(1 << 20);
  REQUIRE(rounds.measure(pools, {2, 1}).ok());
  rounds.release();
  REQUIRE(rounds.measure(pools, {2}).ok());
  const MemoryCeilings all = rounds.ceilings();
  CHECK(all.reason.empty());
  REQUIRE(all.by_threads.size() == 2);
  CHECK(all.by_threads[0].threads == 1);
  REQUIRE(all.of(2) != nullptr);
  CHECK(all.of(2)->rounds == 2);
  CHECK(all.of(3) == nullptr);
}

TEST_CASE("an untimed round's figures are not kept, and a run's are those of its placements") {
  OnePool pools;
  CeilingRounds one(1 << 20, 1 << 21);
  REQUIRE(one.warm_up(pools, {1}).ok());
  CHECK(one.ceilings().by_threads.empty());
  REQUIRE(one.measure(pools, {1}).ok());
  REQUIRE(one.measure(pools, {1}).ok());
  CeilingRounds other(1 << 20);
  REQUIRE(other.measure(pools, {1, 2}).ok());
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
}  // namespace hdbench
