#include <fmt/format.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/published/published.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/limit_view.h"
#include "bench/report/views/thread_view.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

// Folded together.
std::string figures_of(const std::vector<std::string>& tables) {
  std::string html;
  for (const std::string& table : tables) html += table;
  return tables.empty() ? "" : html_figures(html);
}

std::string chart_table(const ReportPivot& pivot, const PaperChart& chart,
                        const PageDetail& detail) {
  HtmlTable table{fmt::format("Chart {}: ms and 95 % interval", chart.number),
                  {"query", "threads"}};
  for (const std::size_t column : chart.columns)
    table.header.push_back(html_column(pivot.column(column)));
  for (const std::size_t query : chart.queries) {
    for (const std::size_t threads : detail.shown(chart.threads)) {
      const ReportBlock block = chart.block->on(threads);
      std::vector<HtmlCell> row{html_escaped(pivot.label(query)), std::to_string(threads)};
      for (const std::size_t column : chart.columns)
        row.push_back(html_time(verdict_cell(pivot, block, column, query)));
      table.rows.push_back(std::move(row));
    }
  }
  return to_html(table);
}

std::string chart_html(const ReportPivot& pivot, const PaperChart& chart,
                       const PageDetail& detail) {
  std::string html = fmt::format(
      "<figure class=\"chart choice\">\n<figcaption><b>Chart {}.</b> {}"
      "</figcaption>\n",
      chart.number, html_escaped(chart.title));
  if (!chart.missing.empty())
    return html + html_missing(chart.missing, "To run it:", chart.command) + "</figure>\n";
  if (!chart.subtitle.empty()) {
    html += fmt::format("<p class=\"note\">{} Here: {}.</p>\n", html_escaped(chart.subtitle),
                        html_escaped(pivot.input().labels_of(chart.queries)));
  }
  html += html_canvas(fmt::format("chart-{}", chart.number),
                      fmt::format("Chart {}. {}.", chart.number, chart.title));
  html += html_figures(chart_table(pivot, chart, detail));
  return html + "</figure>\n";
}

std::string point_html(const ThreadPoint& point, bool is_first) {
  if (!point.ms) return html_none("none");
  std::string html = fmt::format("<b>{}</b>", format_ms(*point.ms));
  if (is_first || !point.speedup) return html;
  html += fmt::format("<span class=\"ratio\">{}, {:.0f} %</span>",
                      format_ratio(point.speedup->value), point.efficiency_percent);
  const auto& interval = point.speedup->interval;
  if (interval)
    html += fmt::format("<small>{:.2f} to {:.2f}</small>", interval->low, interval->high);
  return html;
}

std::string thread_table(const ReportPivot& pivot, const ThreadGroup& group) {
  HtmlTable table{fmt::format("{}: ms, speed-up over {}, efficiency, and the speed-up's 95 % "
                              "interval",
                              group.label, threads_text(group.threads.front())),
                  {"query"}};
  for (const std::size_t threads : group.threads) table.header.push_back(threads_text(threads));
  table.header.push_back({"law", "text"});
  table.header.push_back({"what binds at " + threads_text(group.threads.back()), "text"});
  table.header.push_back("enough");
  for (const ThreadLine& line : group.lines) {
    std::vector<HtmlCell> row{html_escaped(pivot.label(line.query))};
    for (std::size_t i = 0; i < line.points.size(); ++i)
      row.push_back(point_html(line.points[i], i == 0));
    row.push_back(html_escaped(law_text(line)));
    row.push_back(html_escaped(line.binding_text));
    row.push_back(line.enough ? std::to_string(*line.enough) : html_none("not reached"));
    table.rows.push_back(std::move(row));
  }
  return to_html(table);
}

std::string mib_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 10 ? fmt::format("{:.2g}", mib) : fmt::format("{:.1f}", mib);
}

std::string outcome_word(const LimitOutcome& outcome, std::size_t query) {
  const auto has = [&](const std::vector<std::size_t>& list) {
    return std::find(list.begin(), list.end(), query) != list.end();
  };
  if (has(outcome.stopped)) return "<b class=\"null\">0N</b>";
  if (has(outcome.divided)) return "0N on some";
  if (has(outcome.spilled)) return "spilled";
  return has(outcome.completed) ? "completes" : html_none("not run");
}

std::string need_table(const ReportPivot& pivot, const WorkspaceNeed& need) {
  const auto outcomes = limit_outcomes(pivot, need);
  HtmlTable table{fmt::format("{}, {}: peak workspace, and what each -w did", word(need.layout),
                              block_text(pivot, need.block)),
                  {"query", "peak MiB", "smallest -w by that, MiB", "kdb+'s -w, MiB (model)"}};
  for (const LimitOutcome& outcome : outcomes)
    table.header.push_back(fmt::format("-w {}", outcome.limit_mib));
  for (const WorkspacePeak& peak : need.peaks) {
    std::vector<HtmlCell> row{
        html_escaped(pivot.label(peak.query)), mib_text(peak.bytes),
        with_commas(whole_mib(peak.bytes)),
        peak.kdb ? with_commas(peak.kdb->least_w_mib) : html_none("not counted")};
    for (const LimitOutcome& outcome : outcomes) row.push_back(outcome_word(outcome, peak.query));
    table.rows.push_back(std::move(row));
  }
  return to_html(table);
}

std::string roofline_table(const ReportPivot& pivot, const std::vector<RooflinePoint>& points) {
  HtmlTable table{"Bytes, rates and ceilings: " + block_text(pivot, pivot.primary()),
                  {"query", {"medium", "text"}, "read", "written", "GB/s", "of the ceiling"}};
  for (const RooflinePoint& point : points) {
    const CellResult& result = point.cell->result;
    const ReportColumn& where = pivot.column(point.column);
    const auto& ceiling = point.ceiling;
    const char* const flag = "<small class=\"flag\">above the ceiling</small>";
    std::string share = ceiling.ok()
                            ? fmt::format("{:.0f} % of {}{}", ceiling->percent, word(ceiling->kind),
                                          ceiling->above() ? flag : "")
                            : html_none(ceiling.error().message);
    table.rows.push_back({html_escaped(pivot.label(point.query)),
                          html_chips(where),
                          bytes_text(result.bytes_read),
                          bytes_text(result.bytes_written),
                          fmt::format("{:.2f}", point.gb_s),
                          {std::move(share), ceiling.ok() ? "n" : "text"}});
  }
  return to_html(table);
}

}  // namespace

std::string charts_section(const ReportPivot& pivot, const std::vector<PaperChart>& charts,
                           const PageDetail& detail) {
  const bool is_study = has_study_queries(pivot);
  std::string html = fmt::format(
      "<section id=\"charts\">\n<h2>{}</h2>\n<p>{}Bars are medians in ms, lines their 95 % "
      "{}; {} media's bars are hatched. On the log scale a bar's length does not say how many "
      "times: the axis does.</p>\n"
      "<form class=\"switches\" id=\"switches\" aria-label=\"What the charts show\"></form>\n{}"
      "<div class=\"charts{}\">\n",
      is_study ? "The ten charts" : "Times by query",
      is_study ? "The study's charts for this machine and database: the partitioned database on "
                 "NVMe beside the same data in memory. "
               : "",
      html_term("interval") + "s", html_term("emulated"), kNoScript, is_study ? " ten" : "");
  std::string missing;
  std::size_t count = 0;
  for (const PaperChart& chart : charts) {
    (chart.missing.empty() ? html : missing) += chart_html(pivot, chart, detail);
    count += chart.missing.empty() ? 0 : 1;
  }
  html += "</div>\n";
  if (count > 0) {
    html += html_details(fmt::format("{} of the charts {} not run: why, and how to run {}", count,
                                     count == 1 ? "was" : "were", count == 1 ? "it" : "them"),
                         missing, " class=\"unrun\"");
  }
  return html + "</section>\n";
}

std::string threads_section(const ReportPivot& pivot, const PageDetail& detail) {
  std::string html = "<section id=\"threads\">\n<h2>Threads</h2>\n";
  const auto groups = thread_groups(pivot);
  if (groups.empty()) {
    return html +
           html_missing("Every cell was run on one thread count.",
                        "To run powers of two and all, add to the command:", "-s 1..all") +
           "</section>\n";
  }
  html +=
      "<p>A panel a query, a line a medium; dotted: the law fitted to its times; dashed: as many "
      "times as there are threads, of which efficiency is the share. The table names the law "
      "(Amdahl's, or the universal one where pairs of threads cost), what binds, and how many "
      "threads "
      "are enough: every greater count gains 5 % at most, by its whole interval.</p>\n"
      "<figure class=\"chart wide\">\n<form class=\"switches\" id=\"thread-switches\" "
      "aria-label=\"Whose threads\"></form>\n<div class=\"panels\" id=\"panels\"></div>\n"
      "</figure>\n";
  std::vector<std::string> tables;
  for (const ThreadGroup& group : groups) {
    if (!detail.is_every_setting && group.block.attr != pivot.primary().attr) continue;
    tables.push_back(
        html_details(group.label, thread_table(pivot, group),
                     fmt::format("{} data-machine=\"{}\"", tables.empty() ? " open" : "",
                                 pivot.column(group.column).machine)));
  }
  return html + figures_of(tables) + "</section>\n";
}

std::string limit_section(const ReportPivot& pivot, const PageDetail& detail) {
  std::string html = "<section id=\"limit\">\n<h2>The limit</h2>\n";
  const auto needs = workspace_needs(pivot);
  if (needs.empty()) {
    return html +
           html_missing("No query was run without a limit, so its peak is not known.",
                        "Add to the command:", "-w 0") +
           "</section>\n";
  }
  html +=
      "<p>The peak of each query's workspace without a limit, in MiB; lines are the limits (-w) "
      "that were run.</p>\n<figure class=\"chart wide\">\n";
  html += html_canvas("chart-limit", "Peak workspace of each query against the limits.") +
          "</figure>\n";
  std::vector<std::string> tables;
  for (const WorkspaceNeed& need : needs) {
    if (!detail.shows(pivot, need.block)) continue;
    if (!detail.is_every_setting && need.block.attr != pivot.primary().attr) continue;
    tables.push_back(
        html_details(fmt::format("{}, {}", word(need.layout), block_text(pivot, need.block)),
                     need_table(pivot, need), tables.empty() ? " open" : ""));
  }
  return html + figures_of(tables) + "</section>\n";
}

std::string roofline_section(const ReportPivot& pivot) {
  const auto points = roofline_points(pivot);
  std::string html = fmt::format(
      "<section id=\"roofline\">\n<h2>Bytes against the ceiling</h2>\n"
      "<p>Each point is a query on a medium ({}): what it reads and writes, and the rate that it "
      "reaches. Dashed lines are what this machine can do at best. Colours and shapes are those "
      "of the list of media; emulated ones are hollow. A point with a red ring is above its own "
      "{}, which cannot be.</p>\n",
      html_escaped(block_text(pivot, pivot.primary())), html_term("ceiling"));
  if (points.empty()) return html + "<p class=\"missing\">No cell moved bytes.</p>\n</section>\n";
  html += "<figure class=\"chart wide\">\n" +
          html_canvas("chart-roofline", "Rate by bytes moved, both on log scales.") +
          html_figures(roofline_table(pivot, points)) + "</figure>\n";
  return html + "</section>\n";
}

}  // namespace hdbench::bench
