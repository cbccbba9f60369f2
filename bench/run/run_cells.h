// Runs the experiment: executes, proves and compares every cell of the matrix.
//
// A visit loads a medium's tables for one layout and code width at a time, so that memory holds one
// of them, and uses them for all cells of that placement. A query's result must be the same in each
// cell.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/machine/other_load.h"
#include "bench/model/cell_ceiling.h"
#include "bench/model/cell_result.h"
#include "bench/model/peer_memory.h"
#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/peers/peer_cells.h"
#include "bench/results/results_reader.h"
#include "bench/run/google_cells.h"
#include "bench/run/matrix.h"
#include "bench/run/session.h"
#include "engine/base/result.h"

namespace hdbench {

struct RunOutcome {
  std::vector<CellResult> cells;  // those that were run, whatever ended the run
  RunCeilings ceilings;           // of this machine, measured between the cells
  std::vector<CellResult> peer_cells;
  std::optional<PeerMemory> peer_memory;  // of a run with peers
  // Before the first cell, and the least with any cell's result in hand.
  std::optional<std::uint64_t> available_before_bytes;
  std::optional<std::uint64_t> available_lowest_bytes;
  OtherLoad other_load;  // while timed queries ran, warm
  std::vector<std::string> left_out;
  std::vector<std::string> host_floors;  // where an emulated device is faster than this host
  std::vector<std::string> codes_saved;  // saving_lines() of each placement, each line once
  std::vector<std::pair<std::string, std::uint64_t>> table_rows;
  // What ended the run before its last cell: bad data, a result that differs (kMismatch), the limit
  // under
  // `--on-limit exit` (kLimit), Ctrl-C.
  std::optional<Error> error;
};

struct RunRequest {
  AxisLists lists;
  RepetitionRule repetitions;  // a cold cell is made cold before each one
  // How often each placement is loaded anew; its repetitions are shared between the visits. At
  // least 1; with peers, which are loaded once, 1.
  std::size_t visits = 1;
  std::uint64_t order_seed = 1;
  CellFilter filter;
  PeerOptions peers;       // in the same repetitions as dram/flat
  std::size_t matrix = 0;  // which of the experiment's this is
  // An earlier sitting's results of the same experiment: visits that it finished are taken from it,
  // checksums included.
  const SavedRun* resumed = nullptr;
  // After each visit to a placement, when outcome() has it.
  std::function<void()> keep;
};

// All visits of a MatrixRun (matrix_run.h), without a time budget.
RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const RunRequest& request);

// The names of the cells that this would run, were its media all here.
Result<std::vector<std::string>> cell_names(Session& session,
                                            const std::vector<ListedQuery>& queries,
                                            const RunRequest& request);

}  // namespace hdbench
