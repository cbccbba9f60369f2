// Conditions: how each is executed on a view, and the filter that narrows a morsel's selection by
// them, left to right, each on the survivors (docs/q-semantics.md, "where").
//
// q's rule: the first condition prunes partitions when it is on the partition field; the first
// condition after that may use the attribute of its column (p: a few ranges; s: binary search);
// every later one scans the survivors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

// The condition that may use an index: the first that does not prune. Nothing when it is on the
// virtual field, or on a computed one. Requires: the table's own schema.
std::optional<std::size_t> index_candidate(const TablePlan& plan, const Schema& schema);

// Whether the condition can use this column's attribute: an un-negated =, in or within on a parted
// column, or a range on a sorted one.
bool can_use_index(const Condition& condition, const Column& column);

struct IndexedRange {
  RowRange rows;
  // For p: the order key of all these rows. Nothing for s, or where ranges of several keys were
  // joined.
  std::optional<std::int64_t> key;
};

enum class RangeForm : std::uint8_t { kJoined, kOneKeyEach };

// The rows of the column that pass, as rising, disjoint ranges; adjacent ones joined or, where p
// tells, one a key. Requires: can_use_index(). Errors: kData for a broken index.
Result<std::vector<IndexedRange>> index_ranges(const Condition& condition, const Column& column,
                                               RangeForm form);

}  // namespace hdbench
