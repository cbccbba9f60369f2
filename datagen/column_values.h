// Computes the values of a column, a piece at a time, each value from its row number alone.
//
// So any thread can generate any piece of any column of any day. The formula is chosen once per
// piece; the loop over its rows makes no virtual calls. A row's values do not depend on the order
// in which rows are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "datagen/day_counts.h"
#include "datagen/layout.h"

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
// Requires: out has room for slice.count elements and is 8-byte aligned; every row < day.rows().
void fill_column(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                 const RowSlice& slice, std::span<std::byte> out);

}  // namespace hdbench::datagen
