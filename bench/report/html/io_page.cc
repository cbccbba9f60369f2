#include "bench/report/html/io_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/base/version.h"
#include "bench/report/html/html_text.h"
#include "bench/report/html/published_storage.h"
#include "bench/report/html/svg_chart.h"
#include "bench/report/page/page_files.h"
#include "bench/report/views/io_view.h"
#include "bench/storage/filesystems/filesystem_names.h"
#include "bench/storage/filesystems/filesystem_table.h"

namespace hdbench {
namespace {

const char* const kNone = "<span class=\"none\">none</span>";

std::string folded(const std::string& title, const std::string& html) {
  return fmt::format("<details class=\"figures\"><summary>{}</summary>\n{}</details>\n",
                     html_escaped(title), html);
}

std::string mb_text(const std::optional<double>& value) {
  if (!value) return kNone;
  return *value < 10 ? fmt::format("{:.2f}", *value) : fmt::format("{:.0f}", *value);
}

std::string interval_html(const std::optional<Interval>& interval) {
  if (!interval) return {};
  return fmt::format("<small>{} to {}</small>", mb_text(interval->low), mb_text(interval->high));
}

std::string block_table(const BlockChart& chart) {
  HtmlTable table;
  table.caption = chart.title + ": MB/s of all processes together, and the 95 % interval";
  table.header = {{"how", ""}};
  for (const std::uint64_t block : chart.blocks) table.header.push_back({block_text(block), "n"});
  for (const BlockLine& line : chart.lines) {
    std::vector<HtmlCell> row{{html_escaped(line.label), ""}};
    for (std::size_t k = 0; k < chart.blocks.size(); ++k) {
      row.push_back({mb_text(line.mb_per_s[k]) + interval_html(line.intervals[k]), "n"});
    }
    table.rows.push_back(std::move(row));
  }
  return to_html(table);
}

std::string block_figures(const std::vector<IoResult>& results) {
  std::string html;
  for (const BlockChart& chart : block_charts(results)) {
    SvgChart drawing{"Throughput by block, " + chart.title + ".", {}, "MB/s", {}};
    for (const std::uint64_t block : chart.blocks) drawing.places.push_back(block_text(block));
    for (const BlockLine& line : chart.lines) drawing.lines.push_back({line.label, line.mb_per_s});
    const std::size_t more = chart.lines.size() > 8 ? chart.lines.size() - 8 : 0;
    html += fmt::format("<figure class=\"chart\">\n<figcaption><b>{}</b></figcaption>\n{}",
                        html_escaped(chart.title), to_svg(drawing));
    if (more != 0) html += fmt::format("<p class=\"note\">{} more in the table.</p>\n", more);
    html += folded("The figures as a table", block_table(chart)) + "</figure>\n";
  }
  if (html.empty()) return {};
  return "<h3>Throughput by block</h3>\n<div class=\"charts\">\n" + html + "</div>\n";
}

std::optional<double> microseconds(const std::optional<double>& ns) {
  return ns ? std::optional<double>(*ns / 1e3) : std::nullopt;
}

std::string latency_figure(const std::vector<IoResult>& results) {
  const std::vector<LatencyLine> lines = latency_lines(results);
  if (lines.empty()) return {};
  SvgChart drawing{"Latency of single operations.",
                   {"median", "90 %", "99 %", "99.9 %", "slowest"},
                   "microseconds",
                   {}};
  HtmlTable table;
  table.caption =
      "Microseconds an operation (of pread and direct the read alone, of a mapping with the sum of "
      "its bytes); a percentile only of enough operations";
  table.header = {{"test", ""},  {"operations", "n"}, {"median", "n"}, {"90 %", "n"},
                  {"99 %", "n"}, {"99.9 %", "n"},     {"slowest", "n"}};
  for (const LatencyLine& line : lines) {
    const IoLatency& one = line.latency;
    const std::vector<std::optional<double>> values{microseconds(one.p50), microseconds(one.p90),
                                                    microseconds(one.p99), microseconds(one.p99_9),
                                                    static_cast<double>(one.max) / 1e3};
    drawing.lines.push_back({line.label, values});
    std::vector<HtmlCell> row{{html_escaped(line.label), ""}, {with_commas(line.operations), "n"}};
    for (const auto& value : values) {
      row.push_back({value ? fmt::format("{:.1f}", *value) : kNone, "n"});
    }
    table.rows.push_back(std::move(row));
  }
  const std::string note =
      lines.size() > 8
          ? fmt::format("<p class=\"note\">{} more in the table.</p>\n", lines.size() - 8)
          : "";
  return "<h3>Latency</h3>\n<figure class=\"chart wide\">\n" + to_svg(drawing) + note +
         folded("The figures as a table", to_html(table)) + "</figure>\n";
}

std::string ratio_html(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : kNone;
}

std::string means_table(const FilesystemTable& table) {
  HtmlTable html;
  const std::string& first = table.filesystems.front();
  html.caption = "How many times as fast " + first + " is: geometric mean and largest of a group";
  html.header = {{"tests", ""}, {"how many", "n"}};
  for (std::size_t k = 1; k < table.filesystems.size(); ++k) {
    html.header.push_back({html_escaped(first + "/" + table.filesystems[k]), "n"});
    html.header.push_back({"largest", "n"});
  }
  for (const FilesystemMean& mean : table.means) {
    std::vector<HtmlCell> row{
        {html_escaped(fmt::format("{}, {} process{}", mean.group, mean.processes,
                                  mean.processes == 1 ? "" : "es")),
         ""},
        {std::to_string(mean.tests), "n"}};
    for (std::size_t k = 0; k < mean.geometric_means.size(); ++k) {
      row.push_back({ratio_html(mean.geometric_means[k]), "n"});
      row.push_back({ratio_html(mean.maxima[k]) + "<small>" + html_escaped(mean.maximum_tests[k]) +
                         "</small>",
                     "n"});
    }
    html.rows.push_back(std::move(row));
  }
  return to_html(html);
}

std::string rows_table(const FilesystemTable& table) {
  HtmlTable html;
  html.caption = "Every test: medians, and how many times as fast the first filesystem is";
  html.header = {{"test", ""}, {"processes", "n"}, {"unit", "text"}};
  for (const std::string& name : table.filesystems)
    html.header.push_back({html_escaped(name), "n"});
  for (std::size_t k = 1; k < table.filesystems.size(); ++k) {
    html.header.push_back(
        {html_escaped(table.filesystems.front() + "/" + table.filesystems[k]), "n"});
  }
  for (const FilesystemRow& row : table.rows) {
    std::vector<HtmlCell> cells{
        {html_escaped(row.test), ""}, {std::to_string(row.processes), "n"}, {row.unit, "text"}};
    for (const auto& median : row.medians) {
      cells.push_back({median ? fmt::format("{:.4g}", *median) : kNone, "n"});
    }
    for (const auto& ratio : row.ratios) {
      std::string text = ratio ? fmt::format("{:.2f}", ratio->value) : kNone;
      if (ratio && ratio->interval && !ratio->is_different()) {
        text += "<small>not told apart</small>";
      }
      cells.push_back({std::move(text), "n"});
    }
    html.rows.push_back(std::move(cells));
  }
  return to_html(html);
}

std::string filesystems_html(const IoRun& run) {
  const auto figures = filesystems_of(run);
  if (figures.size() < 2) return {};
  const FilesystemTable table = filesystem_table(figures);
  return "<h3>Filesystems side by side</h3>\n" + means_table(table) +
         folded("Every test as a table", rows_table(table)) + published_filesystems_html();
}

std::string results_table(const std::vector<IoResult>& results) {
  if (results.empty()) return {};
  HtmlTable table;
  table.caption = "Every test, beside what others published";
  table.header = {{"test", ""},           {"unit", "text"}, {"median", "n"},
                  {"95 % interval", "n"}, {"ceiling", "n"}, {"published", "text"}};
  for (const IoResult& result : results) {
    std::string figure = fmt::format("{:.4g}", result.median);
    if (result.error) {
      figure = "<span class=\"none\">" + html_escaped(*result.error) + "</span>";
    } else if (!result.is_result()) {
      figure = "<small class=\"flag\">above the ceiling</small>";
    }
    const bool sure = result.is_result() && result.interval.has_value();
    table.rows.push_back(
        {{html_escaped(result.name), ""},
         {html_escaped(result.unit), "text"},
         {figure, result.error ? "text" : "n"},
         {sure ? fmt::format("{:.4g} to {:.4g}", result.interval->low, result.interval->high)
               : kNone,
          "n"},
         {result.ceiling_mb_s > 0 ? fmt::format("{:.0f}", result.ceiling_mb_s) : kNone, "n"},
         {html_escaped(result.published), "text"}});
  }
  return folded("Every test as a table", to_html(table));
}

std::string saved_html(const SavedIo& saved) {
  std::string html =
      fmt::format("<article class=\"io\">\n<p class=\"machine\">{}: {}, {}, commit {}</p>\n",
                  html_escaped(saved.file), html_escaped(saved.machine), html_escaped(saved.date),
                  html_escaped(saved.commit));
  for (const IoTarget& target : saved.run.targets) {
    html += fmt::format("<p class=\"machine\">{}: {}, {}</p>\n", html_escaped(target.path.string()),
                        html_escaped(target.place), html_escaped(target.mount_options));
  }
  const std::vector<IoResult> plain = plain_results(saved.run);
  html += filesystems_html(saved.run) + block_figures(plain) + latency_figure(plain);
  html += results_table(plain);
  if (!saved.run.preflight.empty()) {
    html += "<h4>Found before the run</h4>\n" + html_list(saved.run.preflight);
  }
  if (!saved.run.left_out.empty()) {
    html += "<h4>Left out, and what to know</h4>\n" + html_list(saved.run.left_out);
  }
  return html + "</article>\n";
}

}  // namespace

std::string io_section(const std::vector<SavedIo>& saved) {
  if (saved.empty()) return {};
  std::string html =
      "<section id=\"io\">\n<h2>Storage primitives</h2>\n<p>What <code>hdbench io</code> measured: "
      "reads, writes and metadata calls by real processes. MB are 10<sup>6</sup> bytes. Cold and "
      "warm are proved for each repetition, and a figure above what the device or the memory can "
      "do is flagged, not shown. Published figures are of other machines: context, not a "
      "target.</p>\n";
  for (const SavedIo& one : saved) html += saved_html(one);
  return html + published_storage_html() + "</section>\n";
}

std::string io_page(const std::vector<SavedIo>& saved) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"generator\" content=\"hdbench\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>Storage primitives</title>\n<style>\n{}\n</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#io\">To the figures</a>\n"
      "<header><h1>What this storage gives a historical database</h1></header>\n"
      "<main>\n{}</main>\n<footer><p>Made by {}. Medians with 95 % bootstrap intervals. kdb+ and q "
      "are trademarks of KX, who have no part in this.</p></footer>\n</body>\n</html>\n",
      page_css(), io_section(saved),
      html_escaped(fmt::format("hdbench {} ({})", version(), commit())));
}

}  // namespace hdbench
