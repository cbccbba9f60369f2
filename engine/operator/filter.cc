#include "engine/operator/filter.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>
#include <variant>

#include "engine/base/check.h"
#include "engine/column/column.h"
#include "engine/column/column_error.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/ids.h"
#include "engine/kernel/like.h"
#include "engine/kernel/scan.h"
#include "engine/kernel/selection.h"
#include "engine/storage/anymap.h"
#include "engine/storage/parted_index.h"

namespace hdbench {
namespace {

ScanType scan_type(QType type, std::uint32_t width) {
  if (type == QType::kReal) return ScanType::kF32;
  if (is_floating(type)) return ScanType::kF64;
  switch (width) {
    case 1: return ScanType::kU8;
    case 2: return ScanType::kI16;
    case 4: return ScanType::kI32;
    default: return ScanType::kI64;
  }
}

// Rows whose codes are tested as ids at a time: their ids stay in the first-level cache.
constexpr std::size_t kIdRows = 4096;

// Rows that pass one by one, for the tests that no vector kernel serves.
template <typename Passes>
Status filter_rows(const ScanTarget& target, const Passes& row_passes) {
  for (std::size_t w = 0; w < words_for(target.rows); ++w) {
    const std::uint64_t all =
        w + 1 == words_for(target.rows) ? tail_mask(target.rows) : ~std::uint64_t{0};
    std::uint64_t kept = 0;
    for (std::uint64_t word = target.narrow ? target.bits[w] : all; word != 0; word &= word - 1) {
      const auto row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(word));
      HDB_ASSIGN(const bool passed, row_passes(row));
      if (passed != target.negated) kept |= word & -word;
    }
    target.bits[w] = kept;
  }
  return ok_status();
}

Result<bool> cell_matches(const Column& column, std::uint64_t row, std::string_view pattern) {
  HDB_ASSIGN(const NestedCell cell, nested_cell(column, row));
  if (cell.kind != static_cast<std::uint8_t>(QType::kChar)) return false;
  return like(std::string_view(reinterpret_cast<const char*>(cell.data), cell.count), pattern);
}

// A key as an element of a column with that base; what is too far away for any stays so.
std::int64_t offset_from(std::int64_t base, std::int64_t key) {
  std::int64_t offset = 0;
  if (!__builtin_sub_overflow(key, base, &offset)) return offset;
  return key < base ? std::numeric_limits<std::int64_t>::min()
                    : std::numeric_limits<std::int64_t>::max();
}

struct Scan {
  const Column& column;
  RowRange range;
  const ScanTarget& target;

  const std::byte* values() const { return column.data + range.begin * column.width; }

  Status operator()(const RangeTest& test) const {
    scan_range(scan_type(column.type, column.width), values(), offset_from(column.base, test.low),
               offset_from(column.base, test.high), target);
    return ok_status();
  }
  Status operator()(const SetTest& test) const {
    const ScanType type = scan_type(column.type, column.width);
    if (column.base == 0) {
      scan_set(type, values(), test.keys, target);
      return ok_status();
    }
    if (test.keys.size() > kSmallSet) {
      return filter_rows(target, [&](std::size_t row) -> Result<bool> {
        return std::binary_search(test.keys.begin(), test.keys.end(),
                                  order_key_at(column, range.begin + row));
      });
    }
    std::int64_t offsets[kSmallSet];
    for (std::size_t k = 0; k < test.keys.size(); ++k)
      offsets[k] = offset_from(column.base, test.keys[k]);
    scan_set(type, values(), std::span(offsets).first(test.keys.size()), target);
    return ok_status();
  }
  Status operator()(const CodeTest& test) const {
    const std::uint64_t highest =
        id_width(column.code_bound()) < column.width
            ? scan_as_ids(test)
            : scan_codes(column.width, values(), test.codes, test.member, target);
    if (highest < column.code_bound() || target.rows == 0) return ok_status();
    return seen_code_outside_domain(column, range.begin, range.rows(),
                                    [](std::uint64_t) { return true; });
  }
  // Most of a scan's work is a compare a vector, and a vector of bytes has eight times as many rows
  // as one of wide codes.
  std::uint64_t scan_as_ids(const CodeTest& test) const {
    alignas(64) std::byte ids[kIdRows * sizeof(std::uint32_t)];
    const std::uint32_t width = id_width(column.code_bound());
    std::uint64_t highest = 0;
    for (std::size_t row = 0; row < target.rows; row += kIdRows) {
      ScanTarget piece = target;
      piece.bits += row / kWordRows;
      piece.rows = std::min(kIdRows, target.rows - row);
      const IdSource source{column.width, values() + row * column.width, piece.rows,
                            target.narrow ? piece.bits : nullptr};
      const std::uint64_t seen = to_ids(source, 0, width, ids);
      const std::uint64_t held = scan_codes(width, ids, test.codes, test.member, piece);
      // Bits that an id does not hold make the code one outside any domain of that width.
      highest = std::max({highest, held, seen >> (8 * width) != 0 ? seen : 0});
    }
    return highest;
  }
  Status operator()(const GuidTest& test) const {
    return filter_rows(target, [&](std::size_t row) -> Result<bool> {
      const std::byte* guid = values() + row * 16;
      return std::any_of(test.values.begin(), test.values.end(), [&](const auto& value) {
        return std::memcmp(value.data(), guid, 16) == 0;
      });
    });
  }
  Status operator()(const LikeTest& test) const {
    if (column.type == QType::kChar) {
      return filter_rows(target, [&](std::size_t row) -> Result<bool> {
        return like(std::string_view(reinterpret_cast<const char*>(values()) + row, 1),
                    test.pattern);
      });
    }
    return filter_rows(target, [&](std::size_t row) {
      return cell_matches(column, range.begin + row, test.pattern);
    });
  }
};

struct KeyPasses {
  std::int64_t key;
  bool operator()(const RangeTest& test) const { return test.low <= key && key <= test.high; }
  bool operator()(const SetTest& test) const {
    return std::binary_search(test.keys.begin(), test.keys.end(), key);
  }
  bool operator()(const CodeTest& test) const {
    return static_cast<std::uint64_t>(key) < test.member.size() &&
           test.member[static_cast<std::size_t>(key)] != 0;
  }
  bool operator()(const GuidTest&) const { return unfit(); }
  bool operator()(const LikeTest&) const { return unfit(); }

  static bool unfit() {
    HDB_CHECK(false, "guids and patterns have no order key");
    return false;
  }
};

// Rows of a computed field that are made and tested at a time.
constexpr std::size_t kComputedRows = 4096;

Status filter_computed(const PartitionView& view, const Condition& condition, RowRange range,
                       const ScanTarget& target) {
  for (std::size_t row = 0; row < target.rows; row += kComputedRows) {
    ScanTarget piece = target;
    piece.bits += row / kWordRows;
    piece.rows = std::min(kComputedRows, target.rows - row);
    if (piece.narrow && count_words(piece.bits, words_for(piece.rows)) == 0) continue;
    const RowRange rows{range.begin + row, range.begin + row + piece.rows};
    HDB_TRY(view.computed->make(condition.field, rows, piece.narrow ? piece.bits : nullptr));
    HDB_TRY(std::visit(Scan{*view.columns[condition.field], rows, piece}, condition.test));
  }
  return ok_status();
}

bool reads(const PartitionView& view, const Condition& condition, std::size_t field) {
  if (!view.is_computed(condition.field)) return condition.field == field;
  const auto inputs = view.computed->inputs(condition.field);
  return std::find(inputs.begin(), inputs.end(), field) != inputs.end();
}

// The inputs that none of the conditions before reads.
void log_inputs(const PartitionView& view, std::span<const Condition> before,
                const Condition& condition, Selected& looked_at, AccessLog& accesses) {
  for (const std::size_t input : view.computed->inputs(condition.field)) {
    const bool was_read = std::any_of(before.begin(), before.end(), [&](const Condition& earlier) {
      return reads(view, earlier, input);
    });
    if (!was_read) accesses.read(view, input, looked_at);
  }
}

// The first row whose key is not below `key` (or above it, with `after`). The column is sorted.
std::uint64_t bound(const Column& column, std::int64_t key, bool after) {
  std::uint64_t low = 0;
  std::uint64_t high = column.rows;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (column.is_packed()) unpack_rows(column, {middle, middle + 1}, nullptr);
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

bool passes(const Condition& condition, std::int64_t key) {
  return std::visit(KeyPasses{key}, condition.test) != condition.negated;
}

Status filter_morsel(const Schema& schema, const PartitionView& view,
                     std::span<const Condition> conditions, RowRange range, std::uint64_t* bits,
                     AccessLog& accesses) {
  ScanTarget target{bits, static_cast<std::size_t>(range.rows()), false, false};
  for (std::size_t c = 0; c < conditions.size(); ++c) {
    const Condition& condition = conditions[c];
    if (schema.partitioned && condition.field == 0) {
      // The virtual field has one value a part: all rows pass or none does.
      if (!passes(condition, view.partition_value)) {
        std::fill_n(bits, words_for(target.rows), std::uint64_t{0});
        return ok_status();
      }
      continue;
    }
    const Column& column = *view.columns[condition.field];
    if (target.narrow && count_words(bits, words_for(target.rows)) == 0) return ok_status();
    Selected looked_at(range, target.narrow ? bits : nullptr);
    target.negated = condition.negated;
    if (view.is_computed(condition.field)) {
      log_inputs(view, conditions.first(c), condition, looked_at, accesses);
      HDB_TRY(filter_computed(view, condition, range, target));
    } else {
      accesses.read(view, condition.field, looked_at);
      HDB_TRY(std::visit(Scan{column, range, target}, condition.test));
    }
    target.narrow = true;
  }
  if (!target.narrow) set_bits(bits, target.rows);
  return ok_status();
}

std::optional<std::size_t> index_candidate(const TablePlan& plan, const Schema& schema) {
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
