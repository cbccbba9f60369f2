#include "engine/operator/slot_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/column/column.h"
#include "engine/column/column_error.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/compact.h"
#include "engine/kernel/ids.h"
#include "engine/kernel/scan.h"

namespace hdbench {
namespace {

constexpr std::size_t kIdsALine = 64 / sizeof(std::uint32_t);

// Whether all rows have one value; the first and the last tell most that do not.
bool has_one_value(const Column& column, RowRange rows) {
  const std::byte* const first = column.data + rows.begin * column.width;
  const std::byte* const last = column.data + (rows.end - 1) * column.width;
  return std::memcmp(first, last, column.width) == 0 &&
         all_equal(column.width, first, static_cast<std::size_t>(rows.rows()));
}

// What a column's rows may have: of symbols some views' columns have nulls, others have not.
KeyBounds bounds_of(const KeyColumn& key, const Column* column) {
  if (column == nullptr || key.type != QType::kSymbol) return {key.base, key.cardinality};
  return {0, column->code_bound()};
}

}  // namespace

bool IdRuns::split(const RowIds& rows) {
  constexpr std::size_t kSkips = 15;
  HDB_DCHECK(rows.rows <= kRowsMax, "at most kRowsMax rows at once");
  count_ = 0;
  if (skipped_ != 0) {
    --skipped_;
    return false;
  }
  const std::size_t words = words_for(rows.rows);
  if (rows.bits == nullptr) {
    set_bits(left_, rows.rows);
  } else {
    std::copy_n(rows.bits, words, left_);
  }
  for (std::size_t w = 0;;) {
    while (w < words && left_[w] == 0) ++w;
    if (w == words) return true;
    if (count_ == kRunsMax) break;
    Run& run = runs_[count_++];
    const std::size_t row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(left_[w]));
    run.id = 0;
    std::memcpy(&run.id, rows.ids + row * rows.width, rows.width);  // little-endian
    run.count = take_equal({rows.width, rows.ids, words, run.id}, left_, run.bits);
  }
  skipped_ = kSkips;
  return false;
}

namespace {

// Where ids change, and the end; false: more than `most` times.
template <typename Id>
bool find_changes(const std::byte* bytes, std::size_t rows, std::size_t most, std::uint16_t* ends,
                  std::size_t& count) {
  const auto id = [bytes](std::size_t row) { return load_element<Id>(bytes + row * sizeof(Id)); };
  std::size_t changes = 1;
  for (std::size_t row = 1; row < rows; ++row) changes += id(row) != id(row - 1) ? 1 : 0;
  if (changes > most) return false;
  count = 0;
  for (std::size_t row = 1; row < rows && count + 1 < changes; ++row) {
    if (id(row) != id(row - 1)) ends[count++] = static_cast<std::uint16_t>(row);
  }
  ends[count++] = static_cast<std::uint16_t>(rows);
  return true;
}

}  // namespace

bool NeighbourRuns::split(const RowIds& rows) {
  constexpr std::size_t kSkips = 3;
  if (skipped_ != 0) {
    --skipped_;
    return false;
  }
  const std::size_t most = rows.rows / kRowsARun;
  const auto found = [&](auto id) {
    return find_changes<decltype(id)>(rows.ids, rows.rows, most, ends_, count_);
  };
  const bool are_long = rows.width == 1   ? found(std::uint8_t{0})
                        : rows.width == 2 ? found(std::uint16_t{0})
                                          : found(std::uint32_t{0});
  if (!are_long) skipped_ = kSkips;
  return are_long;
}

SlotReader::SlotReader(std::span<const KeyColumn> keys, const GroupIndex& index,
                       std::size_t rows_max)
    : keys_(keys),
      index_(index),
      rows_max_(rows_max),
      lines_(std::make_unique_for_overwrite<Line[]>(2 * rows_max / kIdsALine)),
      combined_(lines_[0].bytes),
      part_(lines_[rows_max / kIdsALine].bytes) {
  HDB_CHECK(index.direct(), "the keys address a direct table");
}

void SlotReader::begin(const PartitionView& view, const std::optional<FixedKey>& fixed) {
  read_keys_.clear();
  fields_.clear();
  constant_slot_ = 0;
  for (const KeyColumn& key : keys_) {
    const std::uint32_t shift = index_.shift(key.first_word);
    const Column* const column = view.columns[key.field];
    const bool is_fixed =
        fixed && fixed->field == key.field && bounds_of(key, column).holds(fixed->value);
    if (is_fixed || column == nullptr) {
      const std::int64_t value = is_fixed ? fixed->value : view.partition_value;
      constant_slot_ |= static_cast<std::uint32_t>(value - key.base) << shift;
    } else {
      read_keys_.push_back({&key, column, shift});
      fields_.push_back(key.field);
    }
  }
}

Result<std::optional<std::uint32_t>> SlotReader::read(RowRange rows, const std::uint64_t* bits) {
  HDB_DCHECK(read_keys_.empty() || rows.rows() <= rows_max_, "at most so many rows at once");
  first_row_ = rows.begin;
  rows_ = static_cast<std::size_t>(rows.rows());
  bits_ = bits;
  constant_ = constant_slot_;
  varying_.clear();
  std::uint32_t varying_bits = 0;
  for (const ReadKey& read : read_keys_) {
    const std::int64_t value = order_key_at(*read.column, rows.begin);
    if (bounds_of(*read.key, read.column).holds(value) && has_one_value(*read.column, rows)) {
      constant_ |= static_cast<std::uint32_t>(value - read.key->base) << read.shift;
      continue;
    }
    varying_.push_back(read);
    varying_bits = std::max(varying_bits, read.shift + slot_bits(*read.key));
  }
  if (varying_.empty()) return std::optional<std::uint32_t>(constant_);
  // The constant bits above those that vary.
  slots_begin_ = std::size_t{constant_} >> varying_bits << varying_bits;
  slots_end_ = std::min(slots_begin_ + (std::size_t{1} << varying_bits), index_.slot_count());
  width_ = id_width(std::uint64_t{1} << varying_bits);
  HDB_TRY(combine());
  return std::optional<std::uint32_t>();
}

Status SlotReader::combine() {
  shift_ = 0;
  if (varying_.size() == 1) {
    const ReadKey& read = varying_.front();
    shift_ = read.shift;
    width_ = std::min(id_width(read.key->cardinality), read.column->width);
    return read_ids(read, width_, combined_);
  }
  const std::size_t words = words_for(rows_);
  std::fill_n(combined_, words * kWordRows * width_, std::byte{0});
  for (const ReadKey& read : varying_) {
    const std::uint32_t width = std::min(id_width(read.key->cardinality), read.column->width);
    HDB_TRY(read_ids(read, width, part_));
    add_ids({width, part_, read.shift}, words, width_, combined_);
  }
  return ok_status();
}

Status SlotReader::read_ids(const ReadKey& read, std::uint32_t width, std::byte* ids) {
  const KeyColumn& key = *read.key;
  const Column& column = *read.column;
  const std::uint64_t base =
      static_cast<std::uint64_t>(key.base) - static_cast<std::uint64_t>(column.base);
  const std::uint64_t seen = to_ids(
      {column.width, column.data + first_row_ * column.width, rows_, bits_}, base, width, ids);
  // The bits tell of values far outside, the ids themselves of those just above the last.
  const KeyBounds bounds = bounds_of(key, &column);
  const bool may_be_outside =
      seen >= std::bit_ceil(bounds.count) ||
      (!std::has_single_bit(bounds.count) && max_code(width, ids, rows_) >= bounds.count);
  if (may_be_outside) {
    const auto selected = [&](std::uint64_t row) {
      return bits_ == nullptr || is_set(bits_, row - first_row_);
    };
    const auto error = find_value_outside(column, bounds, first_row_, rows_, selected);
    if (error) return *error;
    // Rows that are not selected may have any id, but a selected one addresses the table.
    for (std::size_t row = 0; row < rows_; ++row) {
      std::uint32_t id = 0;
      std::memcpy(&id, ids + row * width, width);
      if (id < bounds.count || !selected(first_row_ + row)) continue;
      return changed_while_read(column, first_row_, rows_);
    }
  }
  return ok_status();
}

void SlotReader::pack(std::uint32_t* slots) {
  const std::byte* ids = combined_;
  std::size_t count = rows_;
  if (bits_ != nullptr) {
    count = compact({width_, ids, rows_, bits_}, part_, Stores::kCached).count;
    ids = part_;
  }
  const std::size_t words = words_for(count);
  std::fill_n(slots, words * kWordRows, constant_);
  add_ids({width_, ids, shift_}, words, sizeof(slots[0]), reinterpret_cast<std::byte*>(slots));
}

}  // namespace hdbench
