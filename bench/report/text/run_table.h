// Prints a run: the blocks of run_pivot.h, then one line for each block with the geometric means.
//
// Lines are at most 120 characters; columns that do not fit are continued below.
#pragma once

#include <string>
#include <vector>

#include "bench/model/cell_result.h"
#include "bench/model/run_context.h"

namespace hdbench {

// Machine, commit, database, rows, and how many repetitions the cells have.
std::string run_header(const RunContext& context, const std::vector<CellResult>& cells);

// Which cells' intervals are wider than what was asked for; empty: none, or nothing was asked for.
std::string precision_line(const RunContext& context, const std::vector<CellResult>& cells);

// The blocks, what the media are, the widest spread, and the means.
std::string run_blocks(const std::vector<CellResult>& cells);

}  // namespace hdbench
