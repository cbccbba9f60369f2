// Orders a parted day's rows by a symbol column and builds the p# index of that order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datagen/day_counts.h"
#include "datagen/layout.h"
#include "engine/column/column.h"

namespace hdbench::datagen {

struct DayOrder {
  std::vector<std::uint32_t>
      rows;           // at each place of the parted day, the row of the day in time order
  PartedIndex index;  // keys: the symbols' codes
};

// Orders a day by the text of column's symbols, keeping time order among equals. Takes 4 bytes a
// row. Requires: a symbol column with codes below symbols.size(); day.rows() < 2^32.
DayOrder order_by_symbol(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                         std::span<const std::string> symbols);

}  // namespace hdbench::datagen
