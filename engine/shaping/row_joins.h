// Joins of two results: which right row belongs to each left one, and the table of both.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// By left row: the number of the right row, or kNoMatch.
constexpr std::uint32_t kNoMatch = UINT32_MAX;
using Matches = std::pmr::vector<std::uint32_t>;

// The matches that the source's kind asks for. Of kAsOf the last key decides among the right rows
// that have the others: the last row whose key is at most the left one's, rows being taken in the
// order of that key. Throws WorkspaceLimit. Requires: fewer than 2^32 - 1 rows a side; keys of
// types that compare. What is read and written beside the keys' columns is logged.
Matches match_rows(const PlanSource& source, const ResultTable& left, const ResultTable& right,
                   QueryContext& context);

// The source's columns. What is read and written is logged. Throws WorkspaceLimit.
ResultTable join_rows(const PlanSource& source, ResultTable left, const ResultTable& right,
                      Matches matches, QueryContext& context);

// kEach: the left rows in their order, each with all right rows that have its keys, in theirs. What
// is read and written is logged. Throws WorkspaceLimit. Requires: as match_rows(); keys.
ResultTable join_every_match(const PlanSource& source, ResultTable left, const ResultTable& right,
                             QueryContext& context);

}  // namespace hdbench
