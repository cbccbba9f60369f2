// Takes over what an earlier session of the same run has finished.
//
// A cell's repetitions in one visit come from one load. A visit that was cut short is gone on with:
// cells that have enough repetitions of it are finished, others are measured anew.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/name_pattern.h"
#include "bench/model/cell_ceiling.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/results/results_json.h"
#include "bench/run/matrix.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// A cell, and of how many visits it is finished. What it has of later ones is kept until the cell
// is measured anew.
struct SavedCell {
  CellResult cell;
  std::size_t visits = 0;
};

struct SavedPlacement {
  PlacementCeilings ceilings;  // its visits: those of which every cell is finished
  std::vector<SavedCell> cells;
  std::vector<CellResult> peer_cells;  // of rounds that were not cut short
  std::size_t cells_ahead = 0;         // that are finished of the next visit, too
  std::size_t cells_planned = 0;
};

// What of a run's placement is looked for.
struct WantedPlacement {
  const PlannedPlacement& planned;
  const std::vector<ListedQuery>& queries;
  const NamePattern& filter;
  std::size_t matrix = 0;
  std::size_t reloads = 1;
  std::size_t least = 1;   // repetitions with which a cell of the first visit is finished
  bool has_peers = false;  // all or nothing: peers run beside all cells in the same rounds
};

// Nothing, unless there is a cell of it, of the same query text.
std::optional<SavedPlacement> saved_placement(const SavedRun& saved, const WantedPlacement& wanted);

// A line for each of these queries whose saved cells, named so, are of another text.
std::vector<std::string> changed_queries(const SavedRun& saved,
                                         const std::vector<ListedQuery>& queries,
                                         const std::vector<std::string>& cell_names);

// Whether figures of an earlier session can be combined with this run's. Errors: kUsage, naming
// what differs: the machine, the program's commit, the requested repetitions or visits, a database
// or its rows.
Status check_same_run(const SavedRun& saved, const RunContext& now);

}  // namespace hdbench::bench
