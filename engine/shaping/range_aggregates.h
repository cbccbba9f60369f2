// Aggregates of neighbouring rows: of each of many ranges of a column.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// Rows [begin, end).
struct RowRangeOf {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};
using RowRanges = std::pmr::vector<RowRangeOf>;

// The aggregate of each range, an element each, made by all threads. `weights`: the first argument
// of aggregates of two columns, else null. What is written is logged. Throws WorkspaceLimit.
ResultColumn aggregate_ranges(const std::string& name, Aggregate aggregate,
                              const ResultColumn& values, const ResultColumn* weights,
                              const RowRanges& ranges, QueryContext& context);

}  // namespace hdbench
