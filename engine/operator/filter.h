// Filter: conditions narrow a morsel's selection, left to right, each on the survivors
// (docs/q-semantics.md, "where").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/access_log.h"
#include "engine/operator/partition_view.h"
#include "engine/operator/plan.h"

namespace hdbench {

// Whether an order key, or a symbol's code, passes a range, set or code test (negation included).
// Requires: the condition's test is one of these three.
bool passes(const Condition& condition, std::int64_t key);

// Writes the selection of rows [range) of a view to `bits` (words_for(range.rows()) words) and
// logs what was read, of a computed field's inputs what no condition before has read. Without
// conditions all rows are selected. Errors: kData for a symbol code
// outside its domain in any row that a scan reads (64 at a time), even if an earlier condition
// excluded that row; rows that an index excludes are not read.
Status filter_morsel(const Schema& schema, const PartitionView& view,
                     std::span<const Condition> conditions, RowRange range, std::uint64_t* bits,
                     AccessLog& accesses);

}  // namespace hdbench
