// Aggregates of groups of rows, for beside each of the rows.
#pragma once

#include <optional>

#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"
#include "engine/shaping/row_joins.h"

namespace hdbench {

// The right side of a join of rows with the groups that they make themselves, and each row's place
// in it. Keys have no bytes: they are in the left rows. Places that no row has hold anything.
struct RowAggregates {
  ResultTable groups;
  Matches matches;
};

// What the source's right plan gives over its left rows, without looking any key up: where the
// keys' values lie close together, a row's place among all their combinations is its group.
// Nothing where they do not, where the combinations outnumber the rows, or where the plan does more
// than group. Requires: is_right_over_left. What is read and written is logged. Throws
// WorkspaceLimit.
std::optional<RowAggregates> aggregate_rows(const PlanSource& source, const ResultTable& left,
                                            QueryContext& context);

}  // namespace hdbench
