// Writes results.json: Google Benchmark's shape, so that its tools read it, with this project's
// fields (docs/results-json.md).
//
// A cell is one entry; real_time and cpu_time are its medians in ms, or 0 where there is none, as
// that library's tools take numbers only. Anything else that was not measured is null.
#pragma once

#include <string>
#include <vector>

#include "bench/model/cell_result.h"
#include "bench/model/run_context.h"

namespace hdbench::bench {

std::string results_json(const RunContext& context, const std::vector<CellResult>& cells);

// The same in one line with a line end, without the fields that follow from others: quickly made,
// and read as the document is.
std::string results_line(const RunContext& context, const std::vector<CellResult>& cells);

}  // namespace hdbench::bench
