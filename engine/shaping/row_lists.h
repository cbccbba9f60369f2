// Rows by their keys: a row a key whose other columns are lists, or the rows themselves in that
// order.
#pragma once

#include <memory_resource>

#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/operator/access_log.h"
#include "engine/operator/plan.h"

namespace hdbench {

// Keys rise as groups' do; rows of one key keep their order. Lists hold elements as cells do, and
// the table keeps their memory, which is the resource's. Throws WorkspaceLimit. Requires: fewer
// than 2^32 - 1 rows; keys and elements of lists that are no lists.
ResultTable list_rows(const RowLists& lists, ResultTable table, ThreadPool& pool,
                      std::pmr::memory_resource& resource, AccessLog& accesses);

}  // namespace hdbench
