// Sums of rows that were split (split_sum.h), by group.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernel/split_sum.h"

namespace hdbench {

// Adds row i's eight addends to the eight sums at sums[8 (copies * groups[i] + i % copies)]; only
// the first four where rows.second is null. copies: 1 or 4.
void add_rows(RowParts rows, const std::uint32_t* groups, std::size_t count, std::size_t copies,
              double* sums);

}  // namespace hdbench
