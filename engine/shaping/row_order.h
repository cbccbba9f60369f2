// The rows of a result in another order, or some of them.
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

// Nulls in every column, where rows of none are repeated.
constexpr std::uint64_t kNoRow = UINT64_MAX;

// Which of so many rows are taken, in their order.
struct TakenRows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
TakenRows taken_rows(const std::optional<RowTake>& take, std::uint64_t rows);

// Puts the places that are taken of so many rows behind those that are there.
void append_taken(const RowTake& take, std::uint64_t rows, RowNumbers& taken);

// The numbers of the rows at the places `taken` of the order. Rows that are equal in it keep their
// order. Only what is taken is put in order. Throws WorkspaceLimit.
RowNumbers ordered_rows(const ResultTable& table, const RowOrder& order, TakenRows taken,
                        const QueryContext& context);

// A column's elements in these rows. What is read and written is logged. Throws WorkspaceLimit.
ResultColumn take_elements(const ResultColumn& column, std::span<const std::uint64_t> rows,
                           QueryContext& context);

// The table of these rows. What is read and written is logged. Throws WorkspaceLimit.
ResultTable take_rows(ResultTable table, std::span<const std::uint64_t> rows,
                      QueryContext& context);

}  // namespace hdbench
