// The report as text: for a terminal, a spreadsheet, or a page of notes.
#pragma once

#include <cstddef>
#include <string>

#include "bench/report/views/report_pivot.h"

namespace hdbench {

// The verdict with bars, the answers and the context, at most `width` columns wide; no less than
// 60.
std::string terminal_report(const ReportPivot& pivot, std::size_t width);

// As CSV: every cell of every file, the peers' too, one line each with all of its figures (RFC
// 4180, lines end in CRLF). Figures are plain: no thousands' separators, times in ms.
std::string csv_report(const ReportPivot& pivot);

// Answers and verdict tables, as GitHub's Markdown.
std::string markdown_report(const ReportPivot& pivot);

}  // namespace hdbench
