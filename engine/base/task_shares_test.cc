#include "engine/base/task_shares.h"

#include <algorithm>

#include "engine/base/catch.h"
#include "engine/testing/made_workers.h"

namespace hdbench {
namespace {

using testing::MadeWorkers;
using testing::run_made;

TEST_CASE("no tasks, and none before any are set") {
  TaskShares shares({0, 0});
  CHECK_FALSE(shares.next(0));
  shares.set(0, 2);
  CHECK_FALSE(shares.next(1));
}

TEST_CASE("each task is given once, whoever asks") {
  for (const std::size_t workers : {1u, 2u, 7u, 16u}) {
    for (const std::size_t tasks : {1u, 5u, 97u}) {
      TaskShares shares(std::vector<int>(workers, 0));
      shares.set(tasks, workers);
      std::vector<int> seen(tasks);
      for (bool any = true; any;) {
        any = false;
        for (std::size_t worker = 0; worker < workers; ++worker) {
          const auto task = shares.next(worker);
          if (!task) continue;
          any = true;
          ++seen[*task];
        }
      }
      CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    }
  }
}

TEST_CASE("a worker's own tasks come first, in order; then the back half of another's") {
  TaskShares shares({0, 0});
  shares.set(8, 2);
  for (const std::size_t task : {0u, 1u, 2u, 3u}) CHECK(shares.next(0) == task);
  CHECK(shares.next(0) == 6);
  CHECK(shares.next(1) == 4);
  CHECK(shares.next(0) == 7);
  CHECK(shares.next(1) == 5);
  CHECK_FALSE(shares.next(0));
}

TEST_CASE("a worker takes from its own node while that has any, then from others") {
  TaskShares shares({0, 0, 1, 1});
  shares.set(16, 4);
  std::vector<std::size_t> of_last;
  while (const auto task = shares.next(3)) of_last.push_back(*task);
  REQUIRE(of_last.size() == 16);
  const auto on_other_node = [](std::size_t task) { return task < 8; };
  CHECK(std::none_of(of_last.begin(), of_last.begin() + 8, on_other_node));
  CHECK(std::all_of(of_last.begin() + 8, of_last.end(), on_other_node));
}

// The rate of made-up machines is that of all workers together, however uneven they are.
TEST_CASE("made-up machines of 16, 64 and 200 CPUs lose at most 3 % to uneven workers") {
  for (const std::size_t count : {16u, 64u, 200u}) {
    for (const MadeWorkers& machine : testing::made_machines(count)) {
      const std::size_t tasks = 200 * count;
      const auto run = run_made(machine, tasks);
      CHECK(static_cast<double>(tasks) / run.seconds == Approx(machine.speed()).epsilon(0.03));
    }
  }
}

}  // namespace
}  // namespace hdbench
