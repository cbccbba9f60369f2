// Window joins: beside each left row aggregates of the right rows that have its keys and whose
// times lie between its two ends.
#pragma once

#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// kBetween. Right rows are taken in the order of their times; both ends are within. Where the
// source takes the prevailing row, the last one before the first end counts too unless a row is at
// it. The ends of neighbouring left rows are found from the last ones on; left rows are spread over
// the threads. Throws WorkspaceLimit. Requires: fewer than 2^32 - 1 rows a side.
ResultTable join_between(const PlanSource& source, ResultTable left, const ResultTable& right,
                         QueryContext& context);

}  // namespace hdbench
