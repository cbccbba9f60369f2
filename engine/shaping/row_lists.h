// Rows brought together by their keys: a row a key whose columns are lists, aggregates of them, or
// a row for each item.
#pragma once

#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// Keys rise as groups' do; rows of one key keep their order. Lists hold elements as cells do, and
// the table keeps their memory, which is the workspace's. Throws WorkspaceLimit, and QueryStop
// ('length) where items are to be rows and a key's lists differ in length. Requires: fewer than
// 2^32 - 1 rows; keys and elements of lists that are no lists.
ResultTable list_rows(const RowLists& lists, ResultTable table, QueryContext& context);

}  // namespace hdbench
