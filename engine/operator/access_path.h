// Access path: how each condition of a plan is executed on a view.
//
// q's rule: the first condition prunes partitions when it is on the partition field; the first
// condition after that may use the attribute of its column (p: a few ranges; s: binary search);
// every later one scans the survivors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/partition_view.h"
#include "engine/operator/plan.h"

namespace hdbench {

// The condition that may use an index: the first that does not prune. Nothing when it is on the
// virtual field, or on a computed one. Requires: the table's own schema.
std::optional<std::size_t> index_candidate(const Plan& plan, const Schema& schema);

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
