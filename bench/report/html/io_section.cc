// The results of `hdbench io`: throughput by block size and processes, latencies, filesystems side
// by side, and what others published.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/base/number_text.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/views/io_view.h"
#include "bench/storage/filesystems/filesystem_names.h"
#include "bench/storage/filesystems/filesystem_table.h"

namespace hdbench {
namespace {

const char* const kNone = "<span class=\"none\">none</span>";

// A chart of lines, with its table folded below it. The canvas carries what report.js draws.
class LineChart {
 public:
  LineChart(std::string unit, std::vector<std::string> places)
      : data_{{"unit", std::move(unit)}, {"places", std::move(places)}, {"lines", Json::array()}} {}

  void add(const std::string& label, const std::vector<std::optional<double>>& values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(value ? Json(*value) : Json());
    data_["lines"].push_back({{"label", label}, {"values", std::move(list)}});
  }
  // `id`: of the canvas; `label`: what it shows, for those who do not see it.
  std::string html(const std::string& id, const std::string& label, const HtmlTable& table) const {
    const std::string json = data_.dump(-1, ' ', false, Json::error_handler_t::replace);
    return html_canvas(id, label, fmt::format(" data-chart=\"{}\"", html_escaped(json))) +
           html_figures(to_html(table));
  }

 private:
  using Json = nlohmann::ordered_json;
  Json data_;
};

std::string mb_text(const std::optional<double>& value) {
  if (!value) return kNone;
  return *value < 10 ? fmt::format("{:.2f}", *value) : fmt::format("{:.0f}", *value);
}

std::string interval_html(const std::optional<Interval>& interval) {
  if (!interval) return {};
  return fmt::format("<small>{} to {}</small>", mb_text(interval->low), mb_text(interval->high));
}

HtmlTable block_table(const BlockChart& chart) {
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
  return table;
}

std::string block_figures(const std::vector<IoResult>& results, const std::string& id) {
  std::string html;
  std::size_t number = 0;
  for (const BlockChart& chart : block_charts(results)) {
    std::vector<std::string> places;
    for (const std::uint64_t block : chart.blocks) places.push_back(block_text(block));
    LineChart drawing("MB/s", std::move(places));
    for (const BlockLine& line : chart.lines) drawing.add(line.label, line.mb_per_s);
    html +=
        fmt::format("<figure class=\"chart\">\n<figcaption><b>{}</b></figcaption>\n{}</figure>\n",
                    html_escaped(chart.title),
                    drawing.html(fmt::format("{}-{}", id, ++number),
                                 "Throughput by block, " + chart.title + ".", block_table(chart)));
  }
  if (html.empty()) return {};
  return "<h3>Throughput by block</h3>\n<div class=\"charts\">\n" + html + "</div>\n";
}

std::optional<double> microseconds(const std::optional<double>& ns) {
  return ns ? std::optional<double>(*ns / 1e3) : std::nullopt;
}

std::string latency_figure(const std::vector<IoResult>& results, const std::string& id) {
  const std::vector<LatencyLine> lines = latency_lines(results);
  if (lines.empty()) return {};
  LineChart drawing("microseconds", {"median", "90 %", "99 %", "99.9 %", "slowest"});
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
    drawing.add(line.label, values);
    std::vector<HtmlCell> row{{html_escaped(line.label), ""}, {with_commas(line.operations), "n"}};
    for (const auto& value : values) {
      row.push_back({value ? fmt::format("{:.1f}", *value) : kNone, "n"});
    }
    table.rows.push_back(std::move(row));
  }
  return "<h3>Latency</h3>\n<figure class=\"chart wide\">\n" +
         drawing.html(id + "-latency", "Latency of single operations.", table) + "</figure>\n";
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
         html_details("Every test as a table", rows_table(table)) +
         "<p>Published (KX, Choosing the Right File System for kdb+, 2025), geometric means with 1 "
         "and 64 processes. XFS/ext4 on an Intel P5510: write 1.28 and 2.65, read cold 1.26 and "
         "0.90, read warm 1.03 and 0.98; on a PCIe 5 drive of Samsung's: write 1.6 and 1.7, read "
         "cold 1.5 and 1.1. XFS/Btrfs there: write 1.5 and 2.4, read cold 2.6 and 1.3.</p>\n";
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
  return html_details("Every test as a table", to_html(table));
}

std::string saved_html(const SavedIo& saved, const std::string& id) {
  std::string html =
      fmt::format("<article class=\"io\">\n<p class=\"machine\">{}: {}, {}, commit {}</p>\n",
                  html_escaped(saved.file), html_escaped(saved.machine), html_escaped(saved.date),
                  html_escaped(saved.commit));
  for (const IoTarget& target : saved.run.targets) {
    html += fmt::format("<p class=\"machine\">{}: {}, {}</p>\n", html_escaped(target.path.string()),
                        html_escaped(target.place), html_escaped(target.mount_options));
  }
  const std::vector<IoResult> plain = plain_results(saved.run);
  html += filesystems_html(saved.run) + block_figures(plain, id) + latency_figure(plain, id) +
          results_table(plain);
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
      "target: those of calls and drives are KX's "
      "(Benchmarking methodology, and Migrating a kdb+ HDB to Amazon EC2, 2018).</p>\n"
      "<noscript><p class=\"missing\">Charts need JavaScript; every figure is in the tables."
      "</p></noscript>\n";
  for (std::size_t i = 0; i < saved.size(); ++i)
    html += saved_html(saved[i], fmt::format("io-{}", i + 1));
  return html + "</section>\n";
}

}  // namespace hdbench
