// The data of every chart as JSON, for report.js.
#pragma once

#include <string>
#include <vector>

#include "bench/report/html/html_sections.h"
#include "bench/report/views/paper_charts.h"
#include "bench/report/views/report_pivot.h"

namespace hdbench {

// One line of JSON; not yet safe within a <script> (html_text.h).
std::string page_model(const ReportPivot& pivot, const std::vector<PaperChart>& charts,
                       const PageDetail& detail);

}  // namespace hdbench
