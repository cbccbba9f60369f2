#include "engine/operator/slot_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/column/column_error.h"
#include "engine/column/element_key.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/compress.h"
#include "engine/kernel/ids.h"
#include "engine/kernel/scan.h"

namespace hdbench {
namespace {

bool is_selected(const std::uint64_t* bits, std::uint64_t row) {
  return bits == nullptr || (bits[row / kWordRows] >> (row % kWordRows) & 1) != 0;
}

// Whether all rows have one value; the first and the last tell most that do not.
bool has_one_value(const Column& column, RowRange rows) {
  const std::byte* const first = column.data + rows.begin * column.width;
  const std::byte* const last = column.data + (rows.end - 1) * column.width;
  return std::memcmp(first, last, column.width) == 0 &&
         all_equal(column.width, first, static_cast<std::size_t>(rows.rows()));
}

}  // namespace

SlotReader::SlotReader(std::span<const KeyColumn> keys, const GroupIndex& index)
    : keys_(keys), index_(index) {
  HDB_CHECK(index.direct(), "the keys address a direct table");
}

void SlotReader::begin(const Slice& slice, const std::optional<ToldKey>& told) {
  read_keys_.clear();
  fields_.clear();
  constant_slot_ = 0;
  for (const KeyColumn& key : keys_) {
    const std::uint32_t shift = index_.shift(key.first_word);
    const Column* const column = slice.columns[key.field];
    const KeyBounds bounds{key.base, key.cardinality};
    const bool is_told = told && told->field == key.field && bounds.holds(told->value);
    if (is_told || column == nullptr) {
      const std::int64_t value = is_told ? told->value : slice.partition_value;
      constant_slot_ |= static_cast<std::uint32_t>(value - key.base) << shift;
    } else {
      read_keys_.push_back({&key, column, shift});
      fields_.push_back(key.field);
    }
  }
}

Result<std::optional<std::uint32_t>> SlotReader::read(RowRange rows, const std::uint64_t* bits,
                                                      std::size_t count, std::uint32_t* slots) {
  HDB_DCHECK(read_keys_.empty() || rows.rows() <= kRowsMax, "at most kRowsMax rows at once");
  std::uint32_t constant = constant_slot_;
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  bool differ = false;
  std::uint32_t varying_bits = 0;
  // Without a selection they are made in place.
  std::uint32_t* const made = bits == nullptr ? slots : slots_;
  for (const ReadKey& read : read_keys_) {
    const std::int64_t value = order_key_at(*read.column, rows.begin);
    if (KeyBounds{read.key->base, read.key->cardinality}.holds(value) &&
        has_one_value(*read.column, rows)) {
      constant |= static_cast<std::uint32_t>(value - read.key->base) << read.shift;
      continue;
    }
    if (!differ) std::fill_n(made, words * kWordRows, 0u);
    differ = true;
    varying_bits = std::max(
        varying_bits,
        read.shift + static_cast<std::uint32_t>(std::bit_width(read.key->cardinality - 1)));
    HDB_TRY(add_key(read, rows, bits, made));
  }
  if (!differ) return std::optional<std::uint32_t>(constant);
  if (bits != nullptr) {
    compress({sizeof(slots_[0]), reinterpret_cast<const std::byte*>(slots_),
              static_cast<std::size_t>(rows.rows()), bits},
             reinterpret_cast<std::byte*>(slots), Stores::kCached);
  }
  if (constant != 0) {
    for (std::size_t i = 0; i < count; ++i) slots[i] |= constant;
  }
  // The constant bits above those that vary.
  slots_begin_ = std::size_t{constant} >> varying_bits << varying_bits;
  slots_end_ = std::min(slots_begin_ + (std::size_t{1} << varying_bits), index_.slot_count());
  return std::optional<std::uint32_t>();
}

Status SlotReader::add_key(const ReadKey& read, RowRange rows, const std::uint64_t* bits,
                           std::uint32_t* slots) {
  const KeyColumn& key = *read.key;
  const Column& column = *read.column;
  const auto count = static_cast<std::size_t>(rows.rows());
  const std::uint32_t width = std::min(id_width(key.cardinality), column.width);
  const std::uint64_t base =
      static_cast<std::uint64_t>(key.base) - static_cast<std::uint64_t>(column.base);
  const std::uint64_t seen = to_ids(
      {column.width, column.data + rows.begin * column.width, count, bits}, base, width, ids_);
  // The bits tell of values far outside, the ids themselves of those just above the last.
  const bool may_be_outside =
      seen >= std::bit_ceil(key.cardinality) ||
      (!std::has_single_bit(key.cardinality) && max_code(width, ids_, count) >= key.cardinality);
  if (may_be_outside) {
    const auto error =
        find_value_outside(column, {key.base, key.cardinality}, rows.begin, rows.rows(),
                           [&](std::uint64_t row) { return is_selected(bits, row - rows.begin); });
    if (error) return *error;
  }
  add_ids({width, ids_, read.shift}, words_for(count), sizeof(slots[0]),
          reinterpret_cast<std::byte*>(slots));
  return ok_status();
}

}  // namespace hdbench
