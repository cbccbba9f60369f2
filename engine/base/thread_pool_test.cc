#include "engine/base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench {
namespace {

TEST_CASE("no tasks is no work") {
  ThreadPool pool(3);
  pool.run(0, [](std::size_t, std::size_t) { FAIL("nothing to do"); });
}

TEST_CASE("every task runs exactly once, on a worker of the pool") {
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    REQUIRE(pool.size() == threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> seen(97);
      std::atomic<bool> in_range{true};
      pool.run(seen.size(), [&](std::size_t task, std::size_t worker) {
        seen[task].fetch_add(1);
        if (worker >= threads) in_range = false;
      });
      REQUIRE(in_range);
      for (const auto& count : seen) REQUIRE(count == 1);
    }
  }
}

TEST_CASE("the lowest failed task's exception is rethrown and the pool goes on") {
  ThreadPool pool(4);
  const auto failing = [](std::size_t task, std::size_t) {
    if (task == 0) throw std::runtime_error("task 0");
  };
  REQUIRE_THROWS_WITH(pool.run(50, failing), "task 0");
  std::atomic<int> done{0};
  pool.run(50, [&](std::size_t, std::size_t) { ++done; });
  REQUIRE(done == 50);
}

struct CountingObserver final : RehearsalObserver {
  void begin_run(std::size_t tasks) override { runs.push_back(tasks); }
  void begin_task(std::size_t, std::size_t worker) override { workers.push_back(worker); }
  void end_task() override { ++ended; }
  void end_run() override { ++ended_runs; }

  std::vector<std::size_t> runs;
  std::vector<std::size_t> workers;  // of each task, in order
  std::size_t ended = 0;
  std::size_t ended_runs = 0;
};

TEST_CASE("a rehearsal does every task once, on this thread, for the worker that is free first") {
  CountingObserver observer;
  ThreadPool pool(4, observer);
  CHECK(pool.size() == 4);
  pool.wake();
  const auto here = std::this_thread::get_id();
  std::vector<int> seen(40);
  pool.run(seen.size(), [&](std::size_t task, std::size_t worker) {
    ++seen[task];
    CHECK(worker < 4);
    CHECK(std::this_thread::get_id() == here);
    // The first worker's tasks take long: the others do most of them.
    if (worker == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  for (const int count : seen) CHECK(count == 1);
  CHECK(observer.runs == std::vector<std::size_t>{40});
  CHECK(observer.ended == 40);
  CHECK(observer.ended_runs == 1);
  CHECK(std::count(observer.workers.begin(), observer.workers.end(), 0) < 10);
  const std::set<std::size_t> used(observer.workers.begin(), observer.workers.end());
  CHECK(used.size() == 4);
  CHECK_THROWS_WITH(pool.run(3, [](std::size_t, std::size_t) { throw std::runtime_error("no"); }),
                    "no");
  pool.run(1, [](std::size_t, std::size_t worker) { CHECK(worker == 0); });
}

TEST_CASE("a pool that has gone to sleep is woken, and a wake-up is no run") {
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    pool.wake();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pool.wake();
    pool.wake();
    std::atomic<int> done{0};
    pool.run(50, [&](std::size_t, std::size_t) { ++done; });
    REQUIRE(done == 50);
  }
}

TEST_CASE(
    "the workers of a second pool have the CPUs of the first, though that one pins its caller") {
  if (usable_cpus().size() < 2) return;
  const auto cpus_of = [](ThreadPool& pool) {
    std::atomic<std::size_t> met{0};
    std::vector<int> cpus(pool.size(), -1);
    pool.run(pool.size(), [&](std::size_t, std::size_t worker) {
      cpus[worker] = sched_getcpu();
      // Until all take part, so that no worker does two tasks.
      for (met.fetch_add(1); met.load() < pool.size();) std::this_thread::yield();
    });
    return std::set<int>(cpus.begin(), cpus.end());
  };
  ThreadPool first(1);
  ThreadPool second(2);
  CHECK(cpus_of(second).size() == 2);
}

TEST_CASE("there is at least one usable cpu and none twice") {
  const std::vector<int>& cpus = usable_cpus();
  REQUIRE_FALSE(cpus.empty());
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) REQUIRE(cpus[i] != cpus[j]);
  }
}

TEST_CASE("the cpu that one is on comes first, and none is lost") {
  cpu_set_t mine;
  REQUIRE(sched_getaffinity(0, sizeof(mine), &mine) == 0);
  const std::vector<int>& cpus = usable_cpus();
  const std::set<int> before(cpus.begin(), cpus.end());
  for (const int cpu : before) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    REQUIRE(sched_setaffinity(0, sizeof(one), &one) == 0);
    take_this_cpu_first();
    CHECK(cpus.front() == cpu);
    CHECK(std::set<int>(cpus.begin(), cpus.end()) == before);
    CHECK(cpus.size() == before.size());
  }
  REQUIRE(sched_setaffinity(0, sizeof(mine), &mine) == 0);
}

void describe_cpu(const std::filesystem::path& cpus, int cpu, const std::string& socket,
                  const std::string& siblings) {
  const auto topology = cpus / ("cpu" + std::to_string(cpu)) / "topology";
  std::filesystem::create_directories(topology);
  std::ofstream(topology / "physical_package_id") << socket << "\n";
  std::ofstream(topology / "thread_siblings_list") << siblings << "\n";
}

TEST_CASE("CPUs that nothing describes stay in their order") {
  const testing::TemporaryDirectory cpus;
  const std::string root = cpus.path();
  CHECK(by_core({}, root).empty());
  CHECK(by_core({0, 2, 5}, root) == std::vector<int>{0, 2, 5});
}

TEST_CASE("one hardware thread of every core comes first, socket by socket") {
  const testing::TemporaryDirectory cpus;
  const std::string root = cpus.path();
  // Sockets have every second CPU.
  describe_cpu(cpus.path(), 0, "0", "0,4");
  describe_cpu(cpus.path(), 1, "1", "1,5");
  describe_cpu(cpus.path(), 2, "0", "2,6");
  describe_cpu(cpus.path(), 3, "1", "3,7");
  describe_cpu(cpus.path(), 4, "0", "0,4");
  describe_cpu(cpus.path(), 5, "1", "1,5");
  describe_cpu(cpus.path(), 6, "0", "2,6");
  describe_cpu(cpus.path(), 7, "1", "3,7");
  CHECK(by_core({0, 1, 2, 3, 4, 5, 6, 7}, root) == std::vector<int>{0, 2, 1, 3, 4, 6, 5, 7});
  CHECK(by_core({4, 6}, root) == std::vector<int>{4, 6});
}

TEST_CASE("senseless descriptions leave every CPU there") {
  const testing::TemporaryDirectory cpus;
  const std::string root = cpus.path();
  describe_cpu(cpus.path(), 0, "", "");
  describe_cpu(cpus.path(), 1, "-1", "no list");
  describe_cpu(cpus.path(), 2, "99999999999999", "7");
  CHECK(by_core({0, 1, 2}, root).size() == 3);
}

TEST_CASE("a CPU's node is that of its directory's nodeN entry, 0 where none is named so") {
  const testing::TemporaryDirectory cpus;
  const std::string root = cpus.path();
  std::filesystem::create_directories(cpus / "cpu3/node12");
  std::filesystem::create_directories(cpus / "cpu4/nodes");
  CHECK(node_of_cpu(3, root) == 12);
  CHECK(node_of_cpu(4, root) == 0);
  CHECK(node_of_cpu(5, root) == 0);
}

}  // namespace
}  // namespace hdbench
