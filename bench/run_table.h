// A run as a busy person reads it: a block for each limit, attribute, mode and thread count; in it
// a line a query and a column a medium and layout, with how many times faster than the first column
// it is.
//
// Lines are at most 120 characters; more columns than fit go into a block below.
#pragma once

#include <string>
#include <vector>

#include "bench/cell_result.h"
#include "bench/run_context.h"

namespace hdbench {

std::string run_header(const RunContext& context);

// The blocks, then what the media are. Cells of one query need not be next to each other.
std::string run_blocks(const std::vector<CellResult>& cells);

// "0.123", "12.34", "1234.5", "123,456".
std::string format_ms(double ms);

// "191,113,021".
std::string with_commas(std::uint64_t number);

}  // namespace hdbench
