// The facts of several machines side by side.
#pragma once

#include "bench/report/views/report_input.h"
#include "bench/report/views/view_table.h"

namespace hdbench::bench {

// A line a fact, a column a machine, as its last run tells it; "not told" where its results have
// no such figure. Without rows where there is one machine.
ViewTable machines_view(const ReportInput& input);

}  // namespace hdbench::bench
