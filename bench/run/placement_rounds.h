// Schedules a placement's rounds.
//
// Every cell runs once a round, in random order, so that a slower machine affects all settings
// alike. Rounds continue while a cell needs more repetitions and time is left. Before the first
// counted round, every warm cell runs once untimed, and so does every query. Each round begins with
// the machine's ceilings, and they are measured once more after the last one; in the untimed round
// they are not recorded. Peers run at the end of each round. Their workers take turns, and all of
// this is repeated in each turn: a worker gets the requested repetitions, and hdbench's cells get
// as many beside each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/base/one_pool.h"
#include "bench/model/cell_result.h"
#include "bench/model/repetition_rule.h"
#include "bench/model/time_budget.h"
#include "bench/peers/peer_cells.h"
#include "bench/run/hdbench_cells.h"
#include "bench/run/job_ceilings.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct RoundsSetting {
  std::string title;  // of the progress line
  RepetitionRule repetitions;
  const std::vector<std::size_t>& threads;  // that ceilings are measured on
  std::uint64_t order_seed = 1;
  const TimeBudget& budget;  // whose current part this is
};

// What takes part in each round.
struct RoundParts {
  OnePool& pools;
  JobCeilings& ceilings;  // this placement's
  HdbenchCells& own;
  PeerCells& peers;
  RunRecorder& recorder;
  std::function<void()> look_at_device;  // before each timed round; empty: no cold cells
  std::function<void()> keep;            // after each timed round
};

// Turn by turn: loads the worker, runs the untimed round and the repetitions, and ends it.
// Peers have the least number of them. At least one round is timed, however late it is. Errors:
// those of the parts.
Status run_rounds(const RoundsSetting& setting, const RoundParts& parts);

// The random order of a round's cells, so that no cell always follows the same one. The same seed
// gives the same order.
// Indexes of cells. Cold cells come first, in random order among themselves, then warm ones: going
// from one state to the other reads or drops everything that the medium holds.
std::vector<std::size_t> order_of_round(const std::vector<CellResult>& cells, std::uint64_t seed,
                                        std::size_t round);

}  // namespace hdbench::bench
