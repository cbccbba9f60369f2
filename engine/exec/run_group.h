// select with by, and aggregates with or without by: one pass over the morsels, a table of groups a
// worker, one merge.
#pragma once

#include <span>

#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"
#include "engine/operator/access_log.h"

namespace hdbench {

// Throws WorkspaceLimit and QueryStop.
ResultTable run_group(const QueryInput& input, const ExecuteSettings& settings, ThreadPool& pool,
                      Workspace& workspace, std::span<AccessLog> accesses);

}  // namespace hdbench
