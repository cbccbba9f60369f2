// Runs a plan over a table: prune, filter, gather or group, merge. docs/design.md, "The way of a
// query", has a picture.
//
// Results are byte-identical whatever the threads, mode, layout, index use and medium: rows are in
// table order, groups in key order, and aggregates are functions of the set of rows (float sums are
// exact and rounded once).
#pragma once

#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/exec/workspace.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// Runs the plan over the table, or over what its source makes of others; rows that are made on the
// way lie in the workspace as the result does. The result's buffers come from `workspace`. Errors:
// kLimit ("-w abort: ..." with everything freed), kData.
Result<ResultTable> execute(const Table& table, const Plan& plan, const ExecuteSettings& settings,
                            ThreadPool& pool, Workspace& workspace, ExecuteStats* stats = nullptr);

}  // namespace hdbench
