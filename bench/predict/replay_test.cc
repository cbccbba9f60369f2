#include "bench/predict/replay.h"

#include "bench/predict/recording.h"
#include "engine/base/catch.h"
#include "pmem/testing/flat_profile.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kBytes = 64'000;

Column column_of(const std::vector<std::byte>& bytes) {
  Column column;
  column.type = QType::kByte;
  column.width = 1;
  column.rows = bytes.size();
  column.data = bytes.data();
  return column;
}

// One column, on a host without figures of its own and on a device.
struct Replayed {
  explicit Replayed(const DeviceProfile& device, const DeviceProfile& host = flat(1e6, 0)) {
    targets.add_column({"t", "a", 0}, column_of(bytes));
    REQUIRE(targets.add_device({host, 0, {}}, {}).ok());
    REQUIRE(targets.add_device({device, 0, {}}, {}).ok());
  }

  // A run of so many tasks, each of which reads the column and works so long, after and before the
  // caller's own work.
  Trace trace(std::size_t tasks, std::int64_t work_ns, std::int64_t alone_ns) {
    Trace made;
    TraceStep alone;
    alone.is_work = true;
    alone.work_ns = alone_ns;
    std::vector<RecentRanges> recent(targets.devices());
    TraceTask task;
    TraceStep step;
    step.bytes = kBytes;
    step.work_ns = work_ns;
    targets.fill({bytes.data(), kBytes, 1, nullptr, kBytes, AccessKind::kRead, 0}, recent, step);
    task.steps.push_back(step);
    made.sections.push_back({false, {TraceTask{{alone}}}});
    made.sections.push_back({true, std::vector<TraceTask>(tasks, task)});
    made.sections.push_back({false, {TraceTask{{alone}}}});
    return made;
  }

  ReplayTimes run(const Trace& trace, ReplayQuestion question, std::size_t device = 1,
                  const FixedWork& fixed = {}) {
    question.device_of_place = {kHostDevice, device};
    if (question.cpus == 1) question.cpus = question.workers * question.users;
    return replay(trace, timing_of(trace), fixed, targets, question);
  }

  std::vector<std::byte> bytes = std::vector<std::byte>(kBytes);
  TraceTargets targets;
};

double parts_ns(const ReplayTimes& times) {
  return times.work_ns + times.bandwidth_ns + times.latency_ns + times.waiting_ns;
}

TEST_CASE("nothing recorded takes no time") {
  Replayed replayed(flat(1, 0));
  CHECK(replayed.run({}, {}).total_ns == 0);
}

TEST_CASE("in memory that costs nothing a query takes its work, shared out to workers") {
  Replayed replayed(flat(1, 0));
  const Trace trace = replayed.trace(8, 1000, 500);
  for (const std::size_t workers : {1U, 2U, 4U, 8U, 16U}) {
    ReplayQuestion question;
    question.workers = workers;
    const ReplayTimes times = replayed.run(trace, question, kHostDevice);
    const double tasks_each = std::max(1.0, 8.0 / static_cast<double>(workers));
    CHECK(times.total_ns == Approx(1000 + tasks_each * 1000).margin(70));
    CHECK(parts_ns(times) == Approx(times.total_ns));
  }
}

TEST_CASE("on a device a task takes the longer of its work and its bytes") {
  Replayed slow(flat(1, 0));  // 64 us for the column
  ReplayQuestion question;
  const ReplayTimes bound = slow.run(slow.trace(10, 1000, 0), question);
  CHECK(bound.total_ns == Approx(10 * kBytes).epsilon(0.01));
  CHECK(bound.bandwidth_ns == Approx(bound.total_ns - 10 * 1000));
  Replayed fast(flat(1000, 0));
  CHECK(fast.run(fast.trace(10, 1000, 0), question).total_ns == Approx(10 * 1000));
}

TEST_CASE("workers share a device's bandwidth, and users share it and the processors") {
  Replayed replayed(flat(1, 0));
  const Trace trace = replayed.trace(16, 1000, 0);
  ReplayQuestion question;
  question.workers = 4;
  CHECK(replayed.run(trace, question).total_ns == Approx(16 * kBytes).epsilon(0.01));
  question.users = 3;
  CHECK(replayed.run(trace, question).total_ns == Approx(3 * 16 * kBytes).epsilon(0.05));
  Replayed fast(flat(1e6, 0));
  question.cpus = 6;  // of twelve workers
  CHECK(fast.run(trace, question, kHostDevice).total_ns == Approx(2 * 4 * 1000).epsilon(0.1));
}

TEST_CASE("accesses that wait for one another take the device's latency each") {
  Replayed replayed(flat(100, 500));
  Trace trace = replayed.trace(1, 0, 0);
  TraceStep& step = trace.sections[1].tasks[0].steps[0];
  step.dependent = 100;
  step.demands[1].far[0].dependent = 100;
  step.demands[1].far[0].pattern = AccessPattern::kRandom;
  const ReplayTimes times = replayed.run(trace, {});
  CHECK(times.total_ns == Approx(100 * 500).epsilon(0.02));
  CHECK(times.latency_ns == Approx(100 * 500).epsilon(0.02));
}

TEST_CASE("more rows take their work and bytes more often, and what is fixed once") {
  Replayed replayed(flat(1e6, 0));
  const Trace trace = replayed.trace(10, 1000, 500);
  ReplayQuestion question;
  question.rows = 4;
  const FixedWork fixed{200, 1000};  // of 1000 alone, of 10000 in tasks
  CHECK(replayed.run(trace, question, kHostDevice, fixed).total_ns ==
        Approx(200 + 4 * 800 + 1000 + 4 * 9000).epsilon(0.01));
  question.result_grows = false;
  CHECK(replayed.run(trace, question, kHostDevice, fixed).total_ns ==
        Approx(1000 + 1000 + 4 * 9000).epsilon(0.01));
  question.partitions = 2;
  CHECK(replayed.run(trace, question, kHostDevice, fixed).total_ns ==
        Approx(2 * (1000 + 1000 + 4 * 9000)).epsilon(0.01));
  // Longer tasks, or more of them, are as much work.
  question.is_split = false;
  CHECK(replayed.run(trace, question, kHostDevice, fixed).total_ns ==
        Approx(2 * (1000 + 1000 + 4 * 9000)).epsilon(0.01));
}

TEST_CASE("a timing gives each task the time that it took where nothing was told") {
  Replayed replayed(flat(1e6, 0));
  const Trace trace = replayed.trace(2, 1000, 500);
  TraceTiming timing = timing_of(trace);
  CHECK(fits(timing, trace));
  timing.tasks[1] = {300, 100};
  ReplayQuestion question;
  question.device_of_place = {kHostDevice, kHostDevice};
  CHECK(replay(trace, timing, {}, replayed.targets, question).total_ns == Approx(1000 + 400));
  CHECK(work_ns(trace, timing, true) == 400);
  timing.tasks[1].push_back(1);
  CHECK_FALSE(fits(timing, trace));
}

TEST_CASE("this machine's memory is shared by all workers, unless its caches hold the columns") {
  Replayed replayed(flat(1, 0), flat(2, 0));
  const Trace trace = replayed.trace(100, 32'000, 0);
  ReplayQuestion question;
  question.workers = 4;
  // 2 bytes a nanosecond for four workers that would each take as much.
  CHECK(replayed.run(trace, question, kHostDevice).total_ns ==
        Approx(100 * kBytes / 2.0).epsilon(0.1));
  question.is_cached = true;
  CHECK(replayed.run(trace, question, kHostDevice).total_ns == Approx(25 * 32'000));
}

TEST_CASE("a recorder counts the tasks of a rehearsal, and what they access") {
  TraceTargets targets;
  const std::vector<std::byte> bytes(kBytes);
  targets.add_column({"t", "a", 3}, column_of(bytes));
  REQUIRE(targets.add_device({flat(1, 0), 0, {}}, {}).ok());
  TraceRecorder recorder(targets, 3, 0);
  ThreadPool pool(3, recorder);
  recorder.begin();
  pool.run(7, [&](std::size_t task, std::size_t) {
    if (task == 5) recorder.access({bytes.data(), 64, 1, nullptr, 64, AccessKind::kRead, 0});
  });
  const Trace trace = recorder.end();
  REQUIRE(trace.sections.size() == 3);
  CHECK_FALSE(trace.sections[0].is_parallel);
  REQUIRE(trace.sections[1].tasks.size() == 7);
  const std::vector<TraceStep>& steps = trace.sections[1].tasks[5].steps;
  REQUIRE(steps.size() == 2);  // work before the access, and the access
  CHECK(steps[0].is_work);
  CHECK(steps[1].place == 1);
  CHECK(targets.places()[1].part == 3);
  CHECK(steps[1].demands.size() == 1);
  CHECK(trace.sections[1].tasks[4].steps.size() == 1);
}

}  // namespace
}  // namespace hdbench::bench
