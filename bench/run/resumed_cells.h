// What an earlier sitting of the same run has finished, so that it is not run again.
//
// By whole placements: a figure's repetitions come from one sitting.
#pragma once

#include <optional>
#include <vector>

#include "bench/results/cell_ceiling.h"
#include "bench/results/cell_result.h"
#include "bench/results/results_reader.h"
#include "bench/run/google_cells.h"
#include "bench/run/placement_list.h"
#include "bench/run/query_list.h"
#include "engine/base/result.h"

namespace hdbench {

struct FinishedPlacement {
  PlacementCeilings ceilings;
  std::vector<CellResult> cells;
  std::vector<CellResult> peer_cells;
};

// Nothing, unless the placement's rounds were finished and every cell that would be run is there,
// of the same query text.
std::optional<FinishedPlacement> finished_placement(const SavedRun& saved,
                                                    const PlannedPlacement& placement,
                                                    const std::vector<ListedQuery>& queries,
                                                    const CellFilter& filter);

// Whether figures of an earlier sitting may stand beside this run's. Errors: kUsage, naming what
// differs: the machine, the program's commit, the repetitions asked for, a database or its rows.
Status check_same_run(const SavedRun& saved, const RunContext& now);

}  // namespace hdbench
