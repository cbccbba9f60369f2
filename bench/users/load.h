// Puts queries to a pool of processes as users do, and measures how long each waits for its answer.
//
// Closed loop: so many users, each of whom asks again as soon as the answer is there. Open loop:
// queries arrive by a Poisson process, whether or not earlier ones are answered; times count from
// the moment that its schedule gives, so that a stall is not hidden. Queries wait in one queue; the
// process that has been free for longest takes the first.
//
// What is measured begins when a tenth of the time is over and every process, and every user of a
// closed loop, has had an answer: the pool's start is in no figure. Queries of an open loop go on
// arriving until all that count are answered, so that the last ones meet the same load. A cell is
// measured in several rounds, apart in time and each with a pool of its own. Intervals are a
// bootstrap of rounds, and within each of blocks of its time (H. R. Kuensch, "The Jackknife and the
// Bootstrap for General Stationary Observations", Annals of Statistics 17, 1989), as answers that
// follow one another are not independent; widened by the number of rounds (bootstrap.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/process_group.h"
#include "bench/model/users_cell.h"
#include "bench/users/query_mix.h"
#include "bench/users/worker_pool.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct LoadPlan {
  std::size_t users = 0;      // 0: an open loop
  double arrivals_per_s = 0;  // of an open loop
  double seconds = 10;  // to measure in this round; longer, up to kLongest times, until each user
                        // (an open loop: who arrives) has had kAnswersOfUser answers
  QueryMix mix = {};
  std::uint64_t seed = 1;

  static constexpr double kLongest = 10;
  static constexpr std::size_t kAnswersOfUser = 3;
};

struct LoadWatch {
  // Of a query that needs more than its -w, with its line. An error ends the load; else the cell.
  std::function<Status(const std::string& line)> limit;
  // Of every answer. Its error ends the load.
  std::function<Status(int query, std::uint64_t checksum)> check;
  std::function<void(double share)> show;             // may be empty
  std::function<void(const std::string& line)> warn;  // a process has died; may be empty
  std::function<void(std::size_t worker)> forget;     // likewise
};

// What a round has measured. Times are ns, sums are of all answers. Plain memory.
struct LoadSums {
  double seconds = 0;
  std::uint64_t came_in = 0;  // answers in this time, whenever they were asked
  std::uint64_t answers = 0;  // that count: of an open loop those asked in this time
  LatencyCounts latency;
  double block_seconds = 0;
  double waiting_ns = 0;  // of all who waited, over the time
  double queued_ns = 0;
  double served_ns = 0;
  double all_ns = 0;
  std::uint64_t cpu_ns = 0;
  std::uint64_t bytes = 0;
  std::uint64_t device_bytes = 0;
  bool is_device_known = true;
  // Of an open loop: arrivals a second x the mean time that a query of the mix occupies a process /
  // processes. From 1 on the queue never empties (the stability condition of every queue).
  double offered_load = 0;
};
struct LoadRound : LoadSums {
  std::vector<LatencyCounts> blocks;  // of equal length (block_seconds), those that have ended
  std::map<int, std::uint64_t> by_query;
  std::map<int, std::uint64_t> checksums;  // of every query that was answered
};

// Fills in the round, unless the cell has got an error by then: a query that reaches -w, all
// processes dead. The cell's deaths and overrun are added to. Errors: the watch's; kUsage
// "interrupted".
Status run_load(WorkerPool& pool, const LoadPlan& plan, const LoadWatch& watch, UsersCell& cell,
                LoadRound& round);

// Adds what is counted of answers: all but times, rates of arrival and blocks.
void add_answers(const LoadRound& round, LoadRound& sum);

// The cell's figures, of all rounds. Requires: there is one.
void take_rounds(const std::vector<LoadRound>& rounds, UsersCell& cell);

}  // namespace hdbench::bench
