// Prints the effect of more threads: a block for each limit, attribute and mode.
//
// Lines are at most 120 characters; columns that do not fit are continued below.
#pragma once

#include <string>
#include <vector>

#include "bench/machine/memory_ceilings.h"
#include "bench/model/cell_result.h"

namespace hdbench {

// The blocks, and where the memory saturates. Empty where all cells ran on as many threads.
std::string scaling_blocks(const std::vector<CellResult>& cells, const MemoryCeilings& memory);

}  // namespace hdbench
