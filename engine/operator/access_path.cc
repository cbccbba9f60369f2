#include "engine/operator/access_path.h"

#include <variant>

#include "engine/column/column.h"
#include "engine/operator/filter.h"
#include "engine/storage/parted_index.h"

namespace hdbench {
namespace {

// The first row whose key is not below `key` (or above it, with `after`). The column is sorted.
std::uint64_t bound(const Column& column, std::int64_t key, bool after) {
  std::uint64_t low = 0;
  std::uint64_t high = column.rows;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::int64_t found = order_key_at(column, middle);
    if (found < key || (after && found == key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

std::optional<std::size_t> index_candidate(const Plan& plan, const Schema& schema) {
  const std::size_t first = prunes_partitions(plan, 0, schema.partitioned) ? 1 : 0;
  if (first >= plan.where.size()) return std::nullopt;
  if (schema.partitioned && plan.where[first].field == 0) return std::nullopt;
  if (plan.where[first].field >= schema.fields.size()) return std::nullopt;
  return first;
}

bool can_use_index(const Condition& condition, const Column& column) {
  if (condition.negated || column.rows == 0) return false;
  const bool is_range = std::holds_alternative<RangeTest>(condition.test);
  if (column.attribute == Attribute::kSorted) {
    return is_range && column.type != QType::kSymbol && column.type != QType::kGuid &&
           column.type != QType::kNested;
  }
  const bool is_lookup = is_range || std::holds_alternative<SetTest>(condition.test) ||
                         std::holds_alternative<CodeTest>(condition.test);
  return is_lookup && has_parted_index(column);
}

Result<std::vector<IndexedRange>> index_ranges(const Condition& condition, const Column& column,
                                               RangeForm form) {
  std::vector<IndexedRange> ranges;
  if (column.attribute == Attribute::kSorted) {
    const auto& range = std::get<RangeTest>(condition.test);
    const std::uint64_t begin = bound(column, range.low, false);
    const std::uint64_t end = range.low > range.high ? begin : bound(column, range.high, true);
    if (begin < end) ranges.push_back({{begin, end}, std::nullopt});
    return ranges;
  }
  HDB_ASSIGN(const std::shared_ptr<const PartedIndex> index, parted_index(column));
  HDB_CHECK(index != nullptr, "the column has an index");
  for (std::size_t k = 0; k < index->keys.size(); ++k) {
    if (!passes(condition, index->keys[k])) continue;
    const auto begin = static_cast<std::uint64_t>(index->offsets[k]);
    const auto end = static_cast<std::uint64_t>(index->offsets[k + 1]);
    if (form == RangeForm::kJoined && !ranges.empty() && ranges.back().rows.end == begin) {
      ranges.back().rows.end = end;
      ranges.back().key.reset();
    } else if (begin < end) {
      ranges.push_back({{begin, end}, index->keys[k]});
    }
  }
  return ranges;
}

}  // namespace hdbench
