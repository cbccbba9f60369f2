#include "bench/predict/replay.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include "engine/base/check.h"
#include "engine/base/task_shares.h"

namespace hdbench::bench {
namespace {

constexpr std::int64_t kFetchedAheadNs = 200'000;

std::uint64_t times(std::uint64_t count, double factor) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
}

// So many times as much. A file's beginning stays as long as it is.
Charge scaled(Charge charge, double factor) {
  if (factor == 1) return charge;
  charge.transactions = std::max(times(charge.transactions, factor), charge.start_transactions);
  charge.dependent = times(charge.dependent, factor);
  charge.independent = times(charge.independent, factor);
  return charge;
}

Demand scaled(const Demand& demand, double far, double near) {
  Demand result;
  for (const Charge& charge : demand.far) result.far.push_back(scaled(charge, far));
  for (const Charge& charge : demand.near) result.near.push_back(scaled(charge, near));
  return result;
}

// How a section is done again: each of its tasks so many times, with so much more in each.
struct Growth {
  std::size_t copies = 1;
  double work = 1;    // of a copy, over the task that was recorded
  double demand = 1;  // the same
};

Growth growth_of(const TraceSection& section, double recorded_ns, double fixed_ns,
                 const ReplayQuestion& question) {
  const bool grows = section.is_parallel || question.result_grows;
  const double rows = grows ? question.rows : 1;
  const double least_ns = std::min(fixed_ns, recorded_ns);
  const double wanted_ns = (least_ns + (recorded_ns - least_ns) * rows) * question.partitions;
  const double more = rows * question.partitions;
  Growth growth;
  const double split =
      section.is_parallel ? std::max(1.0, question.partitions) * (question.is_split ? rows : 1) : 1;
  growth.copies = static_cast<std::size_t>(std::max(1.0, std::ceil(split - 1e-9)));
  const auto copies = static_cast<double>(growth.copies);
  growth.work = recorded_ns > 0 ? wanted_ns / recorded_ns / copies : 1;
  growth.demand = more / copies;
  return growth;
}

struct ReplayWorker {
  std::size_t user = 0;
  std::size_t number = 0;  // of the user's
  double now_ns = 0;
  double deadline_ns = 0;  // until when the last pass moves what it needs
  double pass_begin_ns = 0;
  double own_free_ns = 0;        // of a disk: what one thread can draw, as a clock
  std::vector<double> moved_ns;  // by device: until when it moves what was requested
  double worked_ns = 0;          // since the last report
  const TraceTask* task = nullptr;
  std::size_t step = 0;
  double timed = 1;  // the task's time over that of the run that told the accesses
};

class Replay {
 public:
  Replay(const Trace& trace, const TraceTiming& timing, const FixedWork& fixed,
         TraceTargets& targets, const ReplayQuestion& question);
  ReplayTimes run();

 private:
  // One query of one user.
  struct User {
    std::size_t section = 0;
    double begin_ns = 0;  // of the section
    Growth growth;
    std::size_t tasks = 0;
    std::optional<TaskShares> shares;
    std::size_t working = 0;  // workers that have a task
    double end_ns = 0;        // of the workers that have none
  };

  void begin_section(User& user, std::size_t number, double now_ns);
  // Gives the worker its next task; false: there is none.
  bool next_task(User& user, ReplayWorker& worker);
  void leave_section(User& user, std::size_t number, ReplayWorker& worker);
  void do_step(const User& user, ReplayWorker& worker);
  void access(const TraceStep& step, double grown, ReplayWorker& worker);
  void wait_for_bytes(double until_ns, ReplayWorker& worker);

  const Trace& trace_;
  const TraceTiming& timing_;
  TraceTiming told_;  // of the run that told the accesses
  TraceTargets& targets_;
  const ReplayQuestion& question_;
  std::vector<double> fixed_ns_;  // by section
  double stretch_;                // of work, where workers share CPUs
  std::vector<User> users_;
  std::vector<ReplayWorker> workers_;
  ReplayTimes times_;
  struct Later {
    const std::vector<ReplayWorker>& workers;
    bool operator()(std::size_t a, std::size_t b) const {
      return workers[a].now_ns > workers[b].now_ns;
    }
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, Later> next_;
};

Replay::Replay(const Trace& trace, const TraceTiming& timing, const FixedWork& fixed,
               TraceTargets& targets, const ReplayQuestion& question)
    : trace_(trace),
      timing_(timing),
      told_(timing_of(trace)),
      targets_(targets),
      question_(question),
      users_(question.users),
      workers_(question.users * question.workers),
      next_(Later{workers_}) {
  const double all = static_cast<double>(workers_.size());
  stretch_ = std::max(1.0, all / static_cast<double>(question.cpus));
  for (std::size_t d = 0; d < targets_.devices(); ++d) {
    // Of this machine's memory the processors fetch ahead, from one pass to the next.
    targets_.device(d).begin({all, 0, d == kHostDevice ? kFetchedAheadNs : 0});
  }
  // What is fixed is spread over sections of its kind as their work is.
  for (std::size_t number = 0; number < trace_.sections.size(); ++number) {
    const bool is_parallel = trace_.sections[number].is_parallel;
    const auto of_kind = static_cast<double>(work_ns(trace_, timing_, is_parallel));
    const double fixed_ns = is_parallel ? fixed.parallel_ns : fixed.alone_ns;
    fixed_ns_.push_back(
        of_kind > 0 ? fixed_ns * static_cast<double>(timing_.section_ns(number)) / of_kind : 0);
  }
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    workers_[w].user = w / question.workers;
    workers_[w].number = w % question.workers;
    workers_[w].moved_ns.resize(targets_.devices());
  }
}

void Replay::begin_section(User& user, std::size_t number, double now_ns) {
  while (user.section < trace_.sections.size() && trace_.sections[user.section].tasks.empty()) {
    ++user.section;
  }
  user.begin_ns = user.end_ns = now_ns;
  if (user.section == trace_.sections.size()) return;
  const TraceSection& section = trace_.sections[user.section];
  user.growth = growth_of(section, static_cast<double>(timing_.section_ns(user.section)),
                          fixed_ns_[user.section], question_);
  user.tasks = section.tasks.size() * user.growth.copies;
  const std::size_t taking = section.is_parallel ? question_.workers : 1;
  user.shares.emplace(std::vector<int>(question_.workers, 0));
  user.shares->set(user.tasks, taking);
  user.working = taking;
  for (std::size_t k = 0; k < taking; ++k) {
    ReplayWorker& worker = workers_[number * question_.workers + k];
    worker.now_ns = worker.deadline_ns = worker.pass_begin_ns = now_ns;
    worker.own_free_ns = std::max(worker.own_free_ns, now_ns);
    worker.worked_ns = 0;
    worker.task = nullptr;
    next_.push(number * question_.workers + k);
  }
  // The others wait for the caller.
  user.end_ns = now_ns;
}

bool Replay::next_task(User& user, ReplayWorker& worker) {
  const auto task = user.shares->next(worker.number);
  if (!task) return false;
  // Copies of a task stand together, as a partition's rows do.
  const std::size_t number = *task / user.growth.copies;
  worker.task = &trace_.sections[user.section].tasks[number];
  worker.step = 0;
  const auto told_ns = static_cast<double>(told_.tasks[user.section][number]);
  const auto took_ns = static_cast<double>(timing_.tasks[user.section][number]);
  worker.timed = told_ns > 0 ? took_ns / told_ns : 1;
  return true;
}

void Replay::wait_for_bytes(double until_ns, ReplayWorker& worker) {
  if (until_ns <= worker.now_ns) return;
  times_.bandwidth_ns += until_ns - worker.now_ns;
  worker.now_ns = until_ns;
}

void Replay::access(const TraceStep& step, double grown, ReplayWorker& worker) {
  const std::size_t number = question_.device_of_place[step.place];
  if (number == kHostDevice && question_.is_cached) {
    if (step.kind == AccessKind::kRead) wait_for_bytes(worker.deadline_ns, worker);
    return;
  }
  EmulatedDevice& device = targets_.device(number);
  const double local = question_.local_share;
  const Demand demand = scaled(step.demands[number], grown * 2 * (1 - local), grown * 2 * local);
  const bool is_read = step.kind == AccessKind::kRead;
  // Loads that wait for one another are reported after they were done.
  const double asked_ns = worker.now_ns - (step.dependent > 0 ? worker.worked_ns : 0);
  const Charged charged = device.charge(demand, static_cast<std::int64_t>(asked_ns));
  const double own_loads_ns =
      std::min({worker.worked_ns, 2 * static_cast<double>(charged.dependent_host_ns),
                static_cast<double>(charged.dependent_ns)});
  if (is_read) {
    wait_for_bytes(worker.deadline_ns, worker);
    worker.pass_begin_ns = worker.now_ns - own_loads_ns;
  }
  const double latency_ns =
      std::max(0.0, static_cast<double>(charged.latency_debt_ns) +
                        static_cast<double>(charged.dependent_host_ns) - own_loads_ns);
  const auto done_ns = static_cast<double>(charged.deadline_ns);
  if (number == kHostDevice) {
    // What one thread's transfer and its loads take is part of its recorded work, but for what
    // others add.
    wait_for_bytes(
        worker.now_ns + static_cast<double>(charged.alone_ns) * (question_.host_slowed - 1),
        worker);
    worker.deadline_ns = std::max(worker.deadline_ns, done_ns);
  } else if (device.is_disk()) {
    times_.latency_ns += latency_ns;
    worker.now_ns += latency_ns;
    worker.own_free_ns =
        std::max(worker.own_free_ns, asked_ns) + static_cast<double>(charged.one_thread_ns);
    wait_for_bytes(std::max(worker.own_free_ns, done_ns), worker);
  } else if (charged.latency_ns > charged.alone_ns) {
    times_.latency_ns += latency_ns;
    worker.now_ns += latency_ns;
    worker.deadline_ns = std::max(worker.deadline_ns, done_ns);
  } else {
    double& moved_ns = worker.moved_ns[number];
    moved_ns = std::max(moved_ns, worker.pass_begin_ns) + static_cast<double>(charged.alone_ns);
    worker.deadline_ns = std::max({worker.deadline_ns, done_ns, moved_ns});
  }
}

void Replay::do_step(const User& user, ReplayWorker& worker) {
  const TraceStep& step = worker.task->steps[worker.step++];
  const bool is_wider = !question_.columns.empty() && !step.is_work &&
                        (step.place != kNoColumn || step.kind == AccessKind::kWrite);
  const double wider = is_wider ? question_.columns[step.place] : 1;
  if (!step.is_work) access(step, user.growth.demand * wider, worker);
  worker.worked_ns =
      static_cast<double>(step.work_ns) * worker.timed * user.growth.work * wider * stretch_;
  worker.now_ns += worker.worked_ns;
  times_.work_ns += worker.worked_ns;
}

void Replay::leave_section(User& user, std::size_t number, ReplayWorker& worker) {
  wait_for_bytes(worker.deadline_ns, worker);
  // Until the slowest has come, the others wait: counted when it is there.
  times_.waiting_ns -= worker.now_ns;
  user.end_ns = std::max(user.end_ns, worker.now_ns);
  if (--user.working > 0) return;
  const bool is_parallel = trace_.sections[user.section].is_parallel;
  const auto taking = static_cast<double>(is_parallel ? question_.workers : 1);
  times_.waiting_ns += taking * user.end_ns;
  times_.waiting_ns +=
      (static_cast<double>(question_.workers) - taking) * (user.end_ns - user.begin_ns);
  ++user.section;
  begin_section(user, number, user.end_ns);
}

ReplayTimes Replay::run() {
  for (std::size_t u = 0; u < users_.size(); ++u) begin_section(users_[u], u, 0);
  while (!next_.empty()) {
    const std::size_t number = next_.top();
    next_.pop();
    ReplayWorker& worker = workers_[number];
    User& user = users_[worker.user];
    const bool has_step = worker.task != nullptr && worker.step < worker.task->steps.size();
    if (has_step || next_task(user, worker)) {
      if (has_step) do_step(user, worker);
      next_.push(number);
    } else {
      leave_section(user, worker.user, worker);
    }
  }
  const auto all = static_cast<double>(workers_.size());
  double end_ns = 0;
  for (const User& user : users_) {
    end_ns = std::max(end_ns, user.end_ns);
    times_.total_ns += user.end_ns / static_cast<double>(users_.size());
  }
  times_.work_ns /= all;
  times_.bandwidth_ns /= all;
  times_.latency_ns /= all;
  times_.waiting_ns /= all;
  return times_;
}

}  // namespace

ReplayTimes replay(const Trace& trace, const TraceTiming& timing, const FixedWork& fixed,
                   TraceTargets& targets, const ReplayQuestion& question) {
  HDB_CHECK(question.device_of_place.size() == targets.places().size(), "each place has a device");
  HDB_CHECK(fits(timing, trace), "a timing is of the trace's tasks");
  return Replay(trace, timing, fixed, targets, question).run();
}

}  // namespace hdbench::bench
