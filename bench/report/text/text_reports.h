// The report as text: for a terminal, a spreadsheet, or a page of notes.
#pragma once

#include <string>

#include "bench/base/text_sink.h"
#include "bench/report/views/forecast_view.h"
#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

// A table of the pivot's primary block, what to make of it in a few sentences, the peers if any,
// and closing_screen(). A medium has one column, of the reference's layout where it was run in
// that; columns that do not fit, and all other cells, are counted in a line. What fails the quality
// gate is above all.
std::string summary_report(const ReportPivot& pivot, const TextLook& look = {100});

// The summary's end: what each tier costs in a sentence and as bars, and what limits trust in it,
// within a screen of 24 lines of 80 columns.
std::string closing_screen(const ReportPivot& pivot, const TextLook& look);

// The quality gate's strip, which is above everything; empty where the figures pass it.
std::string doubts_strip(const ReportPivot& pivot, const TextLook& look);

// Peers' times beside hdbench's; empty without peers. A peer that answers without reading the
// columns has its time in parentheses, its reason below and no ratio; one that failed has "-", with
// its error below. Engines that do not fit beside each other are below each other.
std::string peer_text(const ReportPivot& pivot, std::size_t width = 100);

// Cells of several users, a table a medium and pool, and the goal's answer; empty without any.
std::string users_part(const ReportInput& input, const TextLook& look);

// Runs by several ranks; empty without any.
std::string ranks_part(const ReportInput& input, const TextLook& look);

// As CSV: every cell of every file, the peers' too, one line each with all of its figures (RFC
// 4180, lines end in CRLF). Figures are plain: no thousands' separators, times in ms.
std::string csv_report(const ReportPivot& pivot);

// The whole report as GitHub's Markdown: answers, verdict tables, threads, peers, what the media
// are and where their bytes lay, ceilings, notes, and the commands that give it again.
std::string markdown_report(const ReportPivot& pivot);

// What Markdown or HTML would take for markup, escaped.
std::string markdown_escaped(const std::string& text);
std::string markdown_table(const ViewTable& table);
std::string csv_table(const ViewTable& table);
// Texts behind the figures are below their row, folded.
std::string terminal_table(const ViewTable& table, std::size_t width);

// Advice, predictions and curves of the profiles that were given, for a terminal or in Markdown.
std::string forecast_text(const Forecasts& forecasts, std::size_t width);
std::string forecast_markdown(const Forecasts& forecasts);
// One prediction's parts. Errors: kUsage for anything else, which has several tables.
Result<std::string> forecast_csv(const Forecasts& forecasts);

}  // namespace hdbench::bench
