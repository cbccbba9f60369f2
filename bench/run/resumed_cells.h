// Takes over what an earlier session of the same run has finished.
//
// Only whole loads of a placement are taken over, so that a load's repetitions come from one
// session.
#pragma once

#include <optional>
#include <vector>

#include "bench/base/name_pattern.h"
#include "bench/model/cell_ceiling.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/results/results_reader.h"
#include "bench/run/placement_list.h"
#include "engine/base/result.h"

namespace hdbench {

// What of `ceilings.visits` loads is kept: one or more.
struct SavedReloads {
  PlacementCeilings ceilings;
  std::vector<CellResult> cells;
  std::vector<CellResult> peer_cells;
};

// Nothing, unless at least one load was finished and every cell that would be run is there, of the
// same query text. What a load that was cut short has given is left out.
std::optional<SavedReloads> saved_reloads(const SavedRun& saved, std::size_t matrix,
                                          const PlannedPlacement& placement,
                                          const std::vector<ListedQuery>& queries,
                                          const NamePattern& filter);

// Whether figures of an earlier session can be combined with this run's. Errors: kUsage, naming
// what differs: the machine, the program's commit, the requested repetitions or visits, a database
// or its rows.
Status check_same_run(const SavedRun& saved, const RunContext& now);

}  // namespace hdbench
