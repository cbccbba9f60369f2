// The report's sections as HTML: each has its heading and its tables, which are complete without
// JavaScript; report.js draws charts into the empty canvases.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/report/views/device_curves.h"
#include "bench/report/views/forecast_view.h"
#include "bench/report/views/paper_charts.h"
#include "bench/report/views/report_pivot.h"
#include "bench/report/views/verdict.h"
#include "bench/storage/io_results.h"

namespace hdbench::bench {

// Limits on what is shown of a large run, so that the page stays below its size.
struct PageDetail {
  std::size_t thread_counts_max = 0;  // of charts and verdict tables; 0: all
  bool is_every_setting = true;       // else threads and limits of the answers' attribute only

  // The counts that are shown, of these in ascending order: always the first and the last.
  std::vector<std::size_t> shown(const std::vector<std::size_t>& counts) const;
  // Whether the block's count is among its dataset's.
  bool shows(const ReportPivot& pivot, const ReportBlock& block) const;
};

// A column's header, with what emulates it.
std::string html_column(const ReportColumn& column, bool is_reference = false);
// "<b>8.20</b>", with its interval; "not run", "0N". Between: what comes before the interval.
std::string html_time(const VerdictCell& cell, const std::string& between = "");

// The sentence, the chart and the caveats that come first.
std::string headline_section(const ReportPivot& pivot);
std::string answers_section(const ReportPivot& pivot);
std::string verdict_section(const ReportPivot& pivot, const PageDetail& detail);
std::string charts_section(const ReportPivot& pivot, const std::vector<PaperChart>& charts,
                           const PageDetail& detail);
std::string threads_section(const ReportPivot& pivot, const PageDetail& detail);
std::string limit_section(const ReportPivot& pivot, const PageDetail& detail);
std::string roofline_section(const ReportPivot& pivot);
std::string published_section(const ReportPivot& pivot);
std::string peers_section(const ReportPivot& pivot);  // empty without peers
// Cells of several users; empty without any.
std::string users_section(const ReportPivot& pivot);
// Boxes that choose machines, and their facts; empty where there is one.
std::string machines_section(const ReportPivot& pivot);
// Runs by several ranks; empty without any.
std::string ranks_section(const ReportPivot& pivot);
// What `hdbench io` measured; empty without results.
std::string io_section(const std::vector<SavedIo>& saved);
// Advice, with what is below its first screen; `number` tells several on one page apart.
std::string advice_sections(const Advice& advice, std::size_t number);
std::string prediction_sections(const Prediction& prediction, std::size_t number);
// Charts of profiles, and a line for each that is missing; empty without either.
std::string curves_section(const DeviceCurves& curves, const std::vector<std::string>& missing);
std::string context_section(const ReportPivot& pivot);

// The data of every chart, for report.js: one line of JSON, not yet safe within a <script>.
std::string page_model(const ReportPivot& pivot, const std::vector<PaperChart>& charts,
                       const PageDetail& detail);

}  // namespace hdbench::bench
