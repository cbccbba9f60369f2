// A run on one screen: a table of the queries on every medium, and what to make of it in a few
// sentences. At most 100 columns wide.
#pragma once

#include <string>

#include "bench/report/views/report_pivot.h"

namespace hdbench {

// The pivot's primary block. A medium has one column, of the reference's layout where it was run
// in that; columns beyond the sixth, and all other cells, are counted in the last line.
std::string summary_report(const ReportPivot& pivot);

}  // namespace hdbench
