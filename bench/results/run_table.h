// A run as a busy person reads it: the blocks of run_pivot.h, then one line a block with the
// geometric means.
//
// Lines are at most 120 characters; more columns than fit go below.
#pragma once

#include <string>
#include <vector>

#include "bench/results/cell_result.h"
#include "bench/run/run_context.h"

namespace hdbench {

// Machine, commit, database, rows, repetitions.
std::string run_header(const RunContext& context);

// The blocks, what the media are, the widest spread, and the means.
std::string run_blocks(const std::vector<CellResult>& cells);

}  // namespace hdbench
