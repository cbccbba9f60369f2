// Puts queries to a pool of processes as users do, and measures how long each waits for its answer.
//
// Closed loop: so many users, each of whom asks again as soon as the answer is there. Open loop:
// queries arrive by a Poisson process, whether or not earlier ones are answered; times count from
// the moment that its schedule gives, so that a stall is not hidden. Queries wait in one queue; the
// process that has been free for longest takes the first.
//
// What is measured begins when every user has had an answer (or a tenth of the time is over), so
// that the pool's start is in no figure. Intervals are a block bootstrap over parts of the time
// (H. R. Kuensch, "The Jackknife and the Bootstrap for General Stationary Observations", Annals of
// Statistics 17, 1989), as answers that follow one another are not independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "bench/base/layers.h"
#include "bench/model/users_cell.h"
#include "bench/users/query_mix.h"
#include "bench/users/worker_pool.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct LoadPlan {
  std::size_t users = 0;      // 0: an open loop
  double arrivals_per_s = 0;  // of an open loop
  double seconds = 10;        // to measure; longer, up to kLongest times, until each user has had
                              // kAnswersOfUser answers
  QueryMix mix = {};
  std::uint64_t seed = 1;

  static constexpr double kLongest = 10;
  static constexpr std::size_t kAnswersOfUser = 3;
};

struct LoadWatch {
  // Of every answer. Its error ends the load.
  std::function<Status(int query, std::uint64_t checksum)> check;
  std::function<void(double share)> show;             // may be empty
  std::function<void(const std::string& line)> warn;  // a process has died; may be empty
  std::function<void(std::size_t worker)> forget;     // likewise
};

// Fills in the cell's figures. What ends a load without figures (a query that reaches -w, all
// processes dead) is the cell's error. Errors: the watch's; kUsage "interrupted".
Status run_load(WorkerPool& pool, const LoadPlan& plan, const LoadWatch& watch, UsersCell& cell);

}  // namespace hdbench::bench
