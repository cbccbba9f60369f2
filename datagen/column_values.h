// Computes the values of a column, a piece at a time, each value from its row number alone; and the
// order of a parted day.
//
// So any thread can generate any piece of any column of any day. The formula is chosen once per
// piece; the loop over its rows makes no virtual calls. A row's values do not depend on the order
// in which rows are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datagen/day_counts.h"
#include "datagen/layout.h"
#include "engine/column/column.h"

namespace hdbench::datagen {

// Rows of a day, numbered in time order: those of `order` (a parted day), else `count` from
// `first`.
struct RowSlice {
  std::uint64_t first = 0;
  std::size_t count = 0;
  const std::uint32_t* order = nullptr;
};

// Writes value_of(row) of each row in turn.
template <class Element, class ValueOf>
void fill_rows(const RowSlice& slice, std::span<std::byte> out, ValueOf value_of) {
  auto* to = reinterpret_cast<Element*>(out.data());
  if (slice.order == nullptr) {
    for (std::size_t i = 0; i < slice.count; ++i) to[i] = value_of(slice.first + i);
  } else {
    for (std::size_t i = 0; i < slice.count; ++i) to[i] = value_of(slice.order[i]);
  }
}

// Writes the column's elements of these rows, little-endian.
// Requires: out has space for slice.count elements and is 8-byte aligned; every row < day.rows().
void fill_column(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                 const RowSlice& slice, std::span<std::byte> out);

// The order of a parted day's rows by a symbol column, and the p# index of that order.
struct DayOrder {
  // At each place of the parted day, the row of the day in time order.
  std::vector<std::uint32_t> rows;
  PartedIndex index;  // keys: the symbols' codes
};

// All codes, in the order of their texts.
std::vector<std::uint32_t> codes_in_text_order(std::span<const std::string> symbols);

// The index of rows by code, in this order. `counts`: each code's rows; afterwards its first place.
PartedIndex index_of_counts(std::span<std::uint64_t> counts,
                            std::span<const std::uint32_t> codes_in_order);

// Orders a day by the text of column's symbols, keeping time order among equals. Takes 4 bytes a
// row. Requires: a symbol column with codes below symbols.size(); day.rows() < 2^32.
DayOrder order_by_symbol(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                         std::span<const std::string> symbols);

}  // namespace hdbench::datagen
