// Tables of other tables' rows: one behind another, the items of lists, keys as columns.
#pragma once

#include "engine/base/result.h"
#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// kAppend: the left rows and then the right ones; symbols become those of the schema's domains.
// What is written is logged. Throws WorkspaceLimit.
ResultTable append_rows(const PlanSource& source, ResultTable left, ResultTable right,
                        QueryContext& context);

// kItems: a row for each item of a row's lists, whatever is no list repeated. Errors: kUsage,
// 'length: a row's lists differ in length. Throws WorkspaceLimit.
Result<ResultTable> item_rows(const PlanSource& source, ResultTable rows, QueryContext& context);

// Plan::Pivot: the first keys in rising order, a row each, and a column for each value of the last
// key, in rising order, named as it prints. Requires: rows in the order of their keys, each once;
// one column beside the keys.
ResultTable pivot_rows(Plan::Pivot pivot, std::size_t keys, ResultTable rows,
                       QueryContext& context);

}  // namespace hdbench
