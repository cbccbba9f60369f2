// The report on one sheet of A4: the headline, a chart of the tiers, the primary block's table,
// what limits trust in it, and the command that gives it again. No script, nothing to unfold.
#pragma once

#include <string>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

// Tiers and queries that do not fit the sheet are counted, and in html_page().
std::string brief_page(const ReportPivot& pivot);

// The quality gate's strip, which stands above everything; empty where the figures pass it.
std::string doubts_html(const ReportPivot& pivot);

}  // namespace hdbench::bench
