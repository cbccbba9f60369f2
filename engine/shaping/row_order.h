// The rows of a result in another order, some of them, or brought together by their keys: a row a
// key whose other columns are lists, or the rows themselves in that order.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

using RowNumbers = std::pmr::vector<std::uint64_t>;

// Which of so many rows are taken, in their order.
struct TakenRows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
TakenRows taken_rows(const std::optional<RowTake>& take, std::uint64_t rows);

// The numbers of the rows at the places `taken` of the order. Rows that are equal in it keep their
// order. Only what is taken is put in order. Throws WorkspaceLimit.
RowNumbers ordered_rows(const ResultTable& table, const RowOrder& order, TakenRows taken,
                        const QueryContext& context);

// The table of these rows. What is read and written is logged. Throws WorkspaceLimit.
ResultTable take_rows(ResultTable table, std::span<const std::uint64_t> rows,
                      QueryContext& context);

// Keys rise as groups' do; rows of one key keep their order. Lists hold elements as cells do, and
// the table keeps their memory, which is the workspace's. Throws WorkspaceLimit. Requires: fewer
// than 2^32 - 1 rows; keys and elements of lists that are no lists.
ResultTable list_rows(const RowLists& lists, ResultTable table, QueryContext& context);

}  // namespace hdbench
