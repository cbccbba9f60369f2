// The columns of a result that are made of its aggregates, a row at a time.
#pragma once

#include <span>

#include "engine/column/result_table.h"
#include "engine/exec/workspace.h"
#include "engine/operator/access_log.h"
#include "engine/operator/plan.h"

namespace hdbench {

// The keys, then Plan::results instead of the outputs. What is written is logged.
ResultTable with_results(const Plan& plan, ResultTable table, Workspace& workspace,
                         AccessLog& accesses);

}  // namespace hdbench
