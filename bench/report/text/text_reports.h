// The report as text: for a terminal, a spreadsheet, or a page of notes.
#pragma once

#include <string>

#include "bench/report/views/report_pivot.h"

namespace hdbench {

// A run on one screen, at most 100 columns wide: a table of the pivot's primary block and what to
// make of it in a few sentences; below it the peers, if any. A medium has one column, of the
// reference's layout where it was run in that; columns beyond the sixth, and all other cells, are
// counted in the last line.
std::string summary_report(const ReportPivot& pivot);

// Peers' times beside hdbench's, at most 100 columns wide; empty without peers. A peer that answers
// without reading the columns has its time in parentheses, its reason below and no ratio; one that
// failed has "-", with its error below.
std::string peer_text(const ReportPivot& pivot);

// All that `--table full` prints, at most 120 columns wide: the answers, every cell in a line, the
// peers' too, what the media are and where their bytes lay, ceilings, and what to know of the run.
std::string full_report(const ReportPivot& pivot);

// As CSV: every cell of every file, the peers' too, one line each with all of its figures (RFC
// 4180, lines end in CRLF). Figures are plain: no thousands' separators, times in ms.
std::string csv_report(const ReportPivot& pivot);

// Answers and verdict tables, as GitHub's Markdown.
std::string markdown_report(const ReportPivot& pivot);

}  // namespace hdbench
