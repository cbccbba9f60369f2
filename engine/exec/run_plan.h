// What is made of the rows of a table (query_input.h): the rows themselves, or their groups.
#pragma once

#include <span>

#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"
#include "engine/operator/access_log.h"

namespace hdbench {

// select without by: two passes over the morsels, so that the result is allocated once, exactly.
// The first pass filters and counts, keeping each morsel's selection; the second packs every column
// straight to its final place. Without scanned conditions there is no first pass.
// `accesses`: by worker. Throws WorkspaceLimit and QueryStop.
ResultTable run_select(const QueryInput& input, std::span<AccessLog> accesses);

// select with by, and aggregates with or without by: one pass over the morsels, a table of groups a
// worker, one merge. The result's key_count is not set. Throws as run_select().
ResultTable run_group(const QueryInput& input, std::span<AccessLog> accesses);

}  // namespace hdbench
