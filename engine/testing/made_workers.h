// For tests: made-up workers that share tasks in virtual time, as a pool's threads do in real time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "engine/base/task_shares.h"

namespace hdbench::testing {

struct MadeWorkers {
  std::vector<double> speeds;             // tasks a second, of each worker
  std::vector<int> nodes;                 // as many
  std::optional<double> quota_cpus = {};  // CPU seconds that a control group gives in a second

  // So many workers of speed 1, on one node.
  static MadeWorkers equal(std::size_t count) {
    return {std::vector<double>(count, 1), std::vector<int>(count, 0)};
  }
  double speed() const {
    double sum = 0;
    for (const double one : speeds) sum += one;
    return sum;
  }
};

// So many workers: with one at half the speed, with one in four at 0.8 of it, as the two threads of
// each core, and on two nodes with a slow one.
inline std::vector<MadeWorkers> made_machines(std::size_t count) {
  std::vector<MadeWorkers> machines(4, MadeWorkers::equal(count));
  machines[0].speeds[3] = 0.5;
  for (std::size_t worker = 0; worker < count; worker += 4) machines[1].speeds[worker] = 0.8;
  for (std::size_t worker = count / 2; worker < count; ++worker) {
    machines[2].speeds[worker] = 0.55;
    machines[3].nodes[worker] = 1;
  }
  machines[3].speeds[count - 1] = 0.5;
  return machines;
}

struct MadeRun {
  double seconds = 0;
  std::vector<std::size_t> tasks;  // by worker
};

// A task takes a worker 1 / speed seconds. With a quota all stop, from the moment when their CPU
// time of a period of 0.1 s is used up until the next period begins; a run begins with a period.
inline MadeRun run_made(const MadeWorkers& workers, std::size_t tasks) {
  constexpr double kPeriod = 0.1;
  const std::size_t count = workers.speeds.size();
  TaskShares shares(workers.nodes);
  shares.set(tasks, count);
  MadeRun run{0, std::vector<std::size_t>(count)};
  std::vector<double> free_at(count, 0);  // in seconds of running
  double longest = 0;
  for (std::size_t left = count; left > 0;) {
    std::size_t first = 0;
    for (std::size_t worker = 1; worker < count; ++worker) {
      if (free_at[worker] < free_at[first]) first = worker;
    }
    if (shares.next(first)) {
      ++run.tasks[first];
      free_at[first] += 1 / workers.speeds[first];
      longest = std::max(longest, free_at[first]);
    } else {
      free_at[first] = std::numeric_limits<double>::infinity();
      --left;
    }
  }
  const double runs =
      workers.quota_cpus ? std::min(1.0, *workers.quota_cpus / static_cast<double>(count)) : 1.0;
  const double whole = std::floor(longest / (runs * kPeriod));
  run.seconds = runs == 1 ? longest : whole * kPeriod + (longest - whole * runs * kPeriod);
  return run;
}

}  // namespace hdbench::testing
