// Prints the peers beside hdbench: a block for each thread count, a line for each query.
//
// hdbench's columns are its settings on dram/flat without a limit. The last column is the fastest
// peer's time over the fastest of these. A peer that answers without reading the columns has its
// time in parentheses, its reason below, and no part in the ratios.
#pragma once

#include <string>
#include <vector>

#include "bench/model/cell_result.h"

namespace hdbench {

// Empty without peers; at most kTableWidth wide, whatever the settings. A cell without a time is
// "-" and explained below by its error.
std::string peer_blocks(const std::vector<CellResult>& cells,
                        const std::vector<CellResult>& peer_cells);

}  // namespace hdbench
