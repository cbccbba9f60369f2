// Uniform functions: a column as long as its input, each element made of those before it in its
// segment (sums, moving averages, the previous one, ...).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"
#include "engine/shaping/row_keys.h"

namespace hdbench {

// The type of the function's result, nothing where q has none for this type. Differences and sums
// have the types that - and sum give; averages, deviations and ratios are floats, counts ints.
std::optional<QType> window_type(Uniform function, QType type);

// The rows of each key, keys in the order of their first rows; without columns all rows. Requires:
// fewer than 2^32 - 1 rows. What is read and written beside the columns is logged. Throws
// WorkspaceLimit.
RowSegments make_segments(const ResultTable& table, std::span<const std::size_t> by,
                          QueryContext& context);

// As docs/q-semantics.md, "Uniform functions", has them. Segments are spread over the threads.
// What cells of lists point into is put into keep_alive. Throws WorkspaceLimit. Requires:
// window_type() of the column's type.
ResultColumn make_window(const Window& window, const ResultColumn& input, std::uint64_t rows,
                         const RowSegments& segments, const QueryContext& context,
                         std::vector<std::shared_ptr<const void>>& keep_alive);

}  // namespace hdbench
