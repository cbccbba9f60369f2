// Runs the cells of a matrix, or of several, and puts together what they give.
//
// Each placement (medium, layout, code width) is loaded by itself, so that memory holds one of
// them, and used for all its cells; it may be reloaded, which gives other pages and another time of
// day. All placements of all matrices are loaded once before any is reloaded. A query's result must
// be the same in each cell.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/name_pattern.h"
#include "bench/machine/other_load.h"
#include "bench/model/cell_ceiling.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/model/run_context.h"
#include "bench/peers/peer_cells.h"
#include "bench/results/results_json.h"
#include "bench/run/matrix.h"
#include "bench/run/session.h"
#include "engine/base/result.h"
#include "pmem/base/cgroup_limits.h"

namespace hdbench::bench {

struct RunOutcome {
  // What cells share: here the databases, ceilings, notes and memory; Matrices (matrices.h) fills
  // in the rest.
  RunContext context;
  std::vector<CellResult> cells;  // hdbench's that were run, whatever ended the run
  std::vector<CellResult> peer_cells;
  std::vector<std::string> near_cache_notes;  // near_cache_lines() (placement_notes.h)
  OtherLoad other_load;                       // while timed queries ran, warm
  CpuThrottling throttling;                   // while timed queries ran
  // What ended the run before its last cell: bad data, a result that differs (kMismatch), the limit
  // under `--on-limit exit` (kLimit), Ctrl-C.
  std::optional<Error> error;
};

// One load of a placement, with its rounds, that has come to its end.
struct Visit {
  std::string title;  // "1/3 dram flat"
  std::size_t cells = 0;
  double seconds = 0;
  bool is_whole = false;  // false: an error cut it short, or the placement could not be loaded
};

// Adds what another matrix gave.
void merge(RunOutcome& all, const RunOutcome& part);

struct RunRequest {
  AxisLists lists;
  RepetitionRule repetitions;  // a cold cell is made cold before each one
  // How often each placement is loaded; its repetitions are shared between these. At least 1; with
  // peers, which are loaded once, 1.
  std::size_t reloads = 1;
  std::uint64_t order_seed = 1;
  NamePattern filter;
  PeerOptions peers;       // in the same repetitions as dram/flat
  std::size_t matrix = 0;  // which of the experiment's this is
  // An earlier session's results of the same experiment: cells that it finished are taken from it,
  // checksums included.
  const SavedRun* resumed = nullptr;
  // Sets the readahead of the databases' disk, or what it was before, in KiB; empty: nobody may.
  std::function<Status(std::optional<std::uint64_t>)> set_readahead;
  // Called after each timed round with the cells of its placement, and after each visit; outcome()
  // has them by then.
  std::function<void(const std::vector<CellResult>& cells)> keep_round;
  std::function<void(const Visit& visit)> keep;
};

class MatrixRun;

// Runs the placements of all matrices, which have begun, as often as each is to be loaded. A
// placement that cannot be loaded ends the run when all others are done. No budget: no repetition
// is left out.
Status run_schedule(const std::vector<MatrixRun*>& runs, std::size_t reloads,
                    std::optional<double> budget_s);

// One matrix, without a time budget.
RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const RunRequest& request);

}  // namespace hdbench::bench
