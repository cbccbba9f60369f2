#include "bench/machine/memory_ceilings.h"

#include "engine/base/catch.h"
#include "engine/base/made_workers.h"

namespace hdbench::bench {
namespace {

TEST_CASE("without a round there are no ceilings, and it is said") {
  const CeilingRounds rounds(1 << 20);
  CHECK(rounds.ceilings().by_threads.empty());
  CHECK(rounds.ceilings().reason == "no round was run");
  CHECK(rounds.ceilings().of(1) == nullptr);
}

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

// What a probe measures on made-up workers, which share the blocks of several passes.
MemoryRound made_round(const testing::MadeWorkers& workers, double noise) {
  constexpr std::size_t kTasks = 20'480;
  const testing::MadeRun run = testing::run_made(workers, kTasks);
  MemoryRound round;
  round.read_gb_s = static_cast<double>(kTasks) / run.seconds / 1000 * noise;
  return round;
}

TEST_CASE("made-up machines of 16, 64 and 200 threads have the right ceiling within 3 %") {
  for (const std::size_t count : {16u, 64u, 200u}) {
    for (testing::MadeWorkers machine : testing::made_machines(count)) {
      for (double& speed : machine.speeds) speed *= 1000;  // blocks a second
      std::vector<MemoryRound> rounds;
      // Some rounds are slowed by neighbours; none is faster than the machine.
      for (const double noise : {1.0, 0.7, 0.99, 0.95, 0.98, 1.0, 0.6, 0.97})
        rounds.push_back(made_round(machine, noise));
      const double ceiling = summarise_rounds(count, rounds).read_gb_s.high;
      CHECK(ceiling == Approx(machine.speed() / 1000).epsilon(0.03));
    }
  }
}

}  // namespace
}  // namespace hdbench::bench
