#include "bench/base/process_group.h"

#include <signal.h>
#include <unistd.h>

#include <memory>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("processes are real, begin together and tell what they did") {
  const auto reports = run_processes(3, 1, [](Worker& worker) -> Status {
    if (worker.index() == 1) ::usleep(20'000);
    HDB_TRY(worker.begin());
    worker.lap(10);
    worker.lap(10);
    worker.end();
    return worker.check_sum(static_cast<std::uint64_t>(::getpid()),
                            static_cast<std::uint64_t>(::getpid()), "pid");
  });
  REQUIRE(reports.ok());
  REQUIRE(reports->size() == 3);
  for (const ProcessFigures& one : *reports) {
    CHECK(one.bytes == 20);
    CHECK(one.operations == 2);
    CHECK(one.latency.total() == 2);
    CHECK(one.checked);
    CHECK(one.checksum != static_cast<std::uint64_t>(::getpid()));
    CHECK(one.end_ns >= one.begin_ns);
    for (const ProcessFigures& other : *reports)
      CHECK(one.begin_ns < other.begin_ns + 1'000'000'000);
  }
  CHECK((*reports)[0].checksum != (*reports)[1].checksum);
}

TEST_CASE("what lies before begin_lap is in no operation's latency") {
  const auto reports = run_processes(1, 0.02, [](Worker& worker) -> Status {
    HDB_TRY(worker.begin());
    worker.lap(1);
    ::usleep(50'000);
    worker.begin_lap();
    const Status over = worker.is_over() ? ok_status() : Status(data_error("time is left"));
    worker.lap(1);
    worker.end();
    HDB_TRY(over);
    return worker.check_sum(0, 0, "nothing");
  });
  REQUIRE(reports.ok());
  CHECK(reports->front().latency.total() == 2);
  CHECK(reports->front().latency.max() < 50'000'000);
  CHECK(reports->front().seconds() >= 0.05);
}

TEST_CASE("an error before the start ends all processes") {
  const auto reports = run_processes(2, 1, [](Worker& worker) -> Status {
    if (worker.index() == 1) return data_error("there/file: No such file or directory");
    HDB_TRY(worker.begin());
    worker.end();
    return ok_status();
  });
  REQUIRE_FALSE(reports.ok());
  CHECK(reports.error().message == "there/file: No such file or directory");
}

TEST_CASE("an error after the start is the group's") {
  const auto reports = run_processes(2, 1, [](Worker& worker) -> Status {
    HDB_TRY(worker.begin());
    worker.end();
    return worker.check_sum(1, worker.index() == 0 ? 1 : 2, "a block");
  });
  REQUIRE_FALSE(reports.ok());
  CHECK(reports.error().message ==
        "a block: the bytes' sum is 0000000000000001, expected 0000000000000002");
}

TEST_CASE("a process that is killed is reported") {
  const auto reports = run_processes(1, 1, [](Worker& worker) -> Status {
    HDB_TRY(worker.begin());
    ::kill(::getpid(), SIGKILL);
    return ok_status();
  });
  REQUIRE_FALSE(reports.ok());
  CHECK(reports.error().message == "process 1 of 1 was ended by signal 9");
}

TEST_CASE("work of many operations ends after its time") {
  const auto reports = run_processes(1, 0.01, [](Worker& worker) -> Status {
    HDB_TRY(worker.begin());
    while (!worker.is_over()) worker.lap(1);
    worker.end();
    return ok_status();
  });
  REQUIRE(reports.ok());
  CHECK((*reports)[0].seconds() >= 0.01);
}

ProcessFigures figures_at(std::uint64_t begin_ms, std::uint64_t end_ms, std::uint64_t bytes) {
  ProcessFigures one;
  one.begin_ns = begin_ms * 1'000'000;
  one.end_ns = end_ms * 1'000'000;
  one.bytes = bytes;
  one.operations = 10;
  return one;
}

TEST_CASE("before the start it is asked once, and may refuse it") {
  const auto work = [](Worker& worker) -> Status {
    HDB_TRY(worker.begin());
    worker.end();
    return worker.check_sum(0, 0, "nothing");
  };
  std::uint64_t asked_ns = 0;
  const auto reports = run_processes(2, 1, work, [&](const Status& ready) {
    asked_ns = monotonic_ns();
    return ready;
  });
  REQUIRE(reports.ok());
  for (const ProcessFigures& one : *reports) CHECK(one.begin_ns >= asked_ns);
  const auto refused =
      run_processes(2, 1, work, [](const Status&) { return Status(data_error("no")); });
  CHECK(refused.error().message == "no");
  const auto fails = [](Worker&) { return Status(data_error("/x: gone")); };
  std::string heard;
  const auto failed = run_processes(1, 1, fails, [&](const Status& ready) {
    heard = ready.error().message;
    return ready;
  });
  CHECK(heard == "/x: gone");
  CHECK(failed.error().message == "/x: gone");
}

TEST_CASE("one process has a rate and no spread") {
  const std::vector<ProcessFigures> one = {figures_at(0, 1000, 5'000'000)};
  CHECK(mb_per_s(one) == Approx(5));
  CHECK(ms_per_operation(one) == Approx(100));
  CHECK(spread_of(one) == 0);
}

TEST_CASE("the slowest process's end is everybody's") {
  // Their own rates add up to more than the group ever reached.
  const std::vector<ProcessFigures> two = {figures_at(0, 1000, 10'000'000),
                                           figures_at(0, 4000, 10'000'000)};
  CHECK(mb_per_s(two) == Approx(5));
  CHECK(spread_of(two) == Approx(7.5 / 6.25));
}

TEST_CASE("the time of an operation is the mean of all processes'") {
  const std::vector<ProcessFigures> two = {figures_at(0, 1000, 0), figures_at(0, 3000, 0)};
  CHECK(ms_per_operation(two) == Approx(200));
}

TEST_CASE("no latencies have no percentile") {
  const auto counts = std::make_unique<LatencyCounts>();
  CHECK(counts->total() == 0);
  CHECK_FALSE(counts->mean());
  CHECK_FALSE(counts->percentile(0.5));
}

TEST_CASE("a percentile needs as many latencies as it is a part of") {
  const auto counts = std::make_unique<LatencyCounts>();
  for (int i = 0; i < 99; ++i) counts->add(10);
  CHECK(counts->percentile(0.9) == 10.0);
  CHECK_FALSE(counts->percentile(0.99));
  counts->add(10);
  CHECK(counts->percentile(0.99) == 10.0);
  CHECK_FALSE(counts->percentile(0.999));
}

TEST_CASE("percentiles are right within a bin's half") {
  const auto counts = std::make_unique<LatencyCounts>();
  for (std::uint64_t ns = 1; ns <= 1'000'000; ++ns) counts->add(ns);
  for (const double part : {0.5, 0.9, 0.99, 0.999}) {
    CHECK(*counts->percentile(part) == Approx(part * 1e6).epsilon(0.009));
  }
  CHECK(counts->max() == 1'000'000);
}

TEST_CASE("the smallest and the largest value have a bin") {
  const auto counts = std::make_unique<LatencyCounts>();
  counts->add(0);
  counts->add(UINT64_MAX);
  CHECK(counts->percentile(0.5) == 0.0);
  CHECK(counts->max() == UINT64_MAX);
}

TEST_CASE("counts of processes add up") {
  const auto one = std::make_unique<LatencyCounts>();
  const auto other = std::make_unique<LatencyCounts>();
  for (int i = 0; i < 50; ++i) one->add(5);
  for (int i = 0; i < 50; ++i) other->add(50);
  one->add(*other);
  CHECK(one->total() == 100);
  CHECK(one->percentile(0.5) == 5.0);
  CHECK(one->percentile(0.9) == 50.0);
  CHECK(one->max() == 50);
  CHECK(one->mean() == 27.5);
}

}  // namespace

}  // namespace hdbench::bench
