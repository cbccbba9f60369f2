// Prints the ceilings, and what each cell reaches of its own.
//
// Lines are at most 120 characters; columns that do not fit are continued below.
#pragma once

#include <string>
#include <vector>

#include "bench/model/cell_ceiling.h"
#include "bench/model/cell_result.h"

namespace hdbench {

// Memory by thread count, the device where there is a cold cell, and for each block of cells GB/s
// and per cent of the ceiling. Empty without cells.
std::string ceiling_blocks(const std::vector<CellResult>& cells, const RunCeilings& ceilings);

}  // namespace hdbench
