// The ceilings as a person reads them, and what each cell makes of its own.
//
// Lines are at most 120 characters; more columns than fit go below.
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
