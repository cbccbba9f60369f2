// select without by: two passes over the morsels, so that the result is allocated once, exactly.
//
// The first pass filters and counts, keeping each morsel's selection (morsel_selections.h); the
// second packs every column straight to its final place. Without scanned conditions there is no
// first pass.
#pragma once

#include <span>

#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"
#include "engine/operator/access_log.h"

namespace hdbench {

// Throws WorkspaceLimit and QueryStop.
ResultTable run_select(const QueryInput& input, const ExecuteSettings& settings, ThreadPool& pool,
                       Workspace& workspace, std::span<AccessLog> accesses);

}  // namespace hdbench
