// The results of `hdbench io`: throughput by block size and processes, latencies, filesystems side
// by side, and what others published.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/base/number_text.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/storage/filesystems/filesystem_comparison.h"
#include "bench/storage/io_tests.h"

namespace hdbench::bench {
namespace {

std::string number_html(const char* format, const std::optional<double>& value) {
  return value ? fmt::format(fmt::runtime(format), *value) : html_none("none");
}

// A chart of lines, with its table folded below it. The canvas carries what report.js draws.
class LineChart {
 public:
  LineChart(const char* unit, const std::vector<std::string>& places)
      : data_{{"unit", unit}, {"places", places}, {"lines", Json::array()}} {}

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

std::string mb_text(double value) {
  return value < 10 ? fmt::format("{:.2f}", value) : fmt::format("{:.0f}", value);
}

std::string line_label(const IoResult& result) {
  std::string label = result.engine;
  if (!result.sync.empty() && result.sync != "none") label += ", " + result.sync;
  return label + ", " + processes_text(result.processes);
}

using BlockLine = std::map<std::uint64_t, const IoResult*>;

template <typename T>
using InOrder = std::vector<std::pair<std::string, T>>;

// The value of a name, added behind the others where it is new.
template <typename T>
T& value_in(InOrder<T>& list, const std::string& name) {
  for (auto& [other, value] : list) {
    if (other == name) return value;
  }
  return list.emplace_back(name, T()).second;
}

std::string block_figure(const std::string& title, const InOrder<BlockLine>& lines,
                         const std::string& id) {
  std::set<std::uint64_t> blocks;
  for (const auto& [label, line] : lines) {
    for (const auto& [block, result] : line) blocks.insert(block);
  }
  if (blocks.size() < 2) return {};
  HtmlTable table{title + ": MB/s of all processes together, and the 95 % interval", {"how"}};
  std::vector<std::string> places;
  for (const std::uint64_t block : blocks) {
    places.push_back(bytes_word(block, " "));
    table.header.push_back(places.back());
  }
  LineChart drawing("MB/s", places);
  for (const auto& [label, line] : lines) {
    std::vector<std::optional<double>> medians;
    std::vector<HtmlCell> row{html_escaped(label)};
    for (const std::uint64_t block : blocks) {
      const auto found = line.find(block);
      medians.emplace_back();
      row.push_back(html_none("none"));
      if (found == line.end()) continue;
      const IoResult& result = *found->second;
      medians.back() = result.median;
      row.back().html = mb_text(result.median);
      if (!result.interval) continue;
      row.back().html += fmt::format("<small>{} to {}</small>", mb_text(result.interval->low),
                                     mb_text(result.interval->high));
    }
    drawing.add(label, medians);
    table.rows.push_back(std::move(row));
  }
  return fmt::format("<figure class=\"chart\">\n<figcaption><b>{}</b></figcaption>\n{}</figure>\n",
                     html_escaped(title),
                     drawing.html(id, "Throughput by block, " + title + ".", table));
}

// A chart for each test and cache state whose blocks differ, in the order of the results; a line
// for each way and process count. Figures that are no result are left out.
std::string block_figures(const std::vector<IoResult>& results, const std::string& id) {
  InOrder<InOrder<BlockLine>> charts;
  for (const IoResult& result : results) {
    if (result.block_bytes == 0 || result.unit != "MB/s" || !result.is_result()) continue;
    const std::string cache = result.cache == "none" ? "" : ", " + result.cache;
    value_in(value_in(charts, result.test + cache), line_label(result))[result.block_bytes] =
        &result;
  }
  std::string html;
  std::size_t number = 1;
  for (const auto& [title, lines] : charts) {
    const std::string figure = block_figure(title, lines, fmt::format("{}-{}", id, number));
    number += figure.empty() ? 0 : 1;
    html += figure;
  }
  if (html.empty()) return {};
  return "<h3>Throughput by block</h3>\n<div class=\"charts\">\n" + html + "</div>\n";
}

// Of tests counted by the operation (ms) and of random reads; those with a cold page cache or none.
bool has_latency(const IoResult& result) {
  return (result.unit == "ms" || result.test == "random-read") && result.cache != "warm" &&
         result.group != "cpu" && result.latency.p50 && result.is_result();
}

std::string latency_figure(const std::vector<IoResult>& results, const std::string& id) {
  // Single calls first, then reads by the size of their blocks: what is drawn is the first few.
  std::multimap<std::pair<bool, std::uint64_t>, const IoResult*> ordered;
  for (const IoResult& result : results) {
    if (has_latency(result)) ordered.insert({{result.unit != "ms", result.block_bytes}, &result});
  }
  if (ordered.empty()) return {};
  LineChart drawing("microseconds", {"median", "90 %", "99 %", "99.9 %", "slowest"});
  HtmlTable table{
      "Microseconds an operation (of pread and direct the read alone, of a mapping with the sum of "
      "its bytes); a percentile only of enough operations",
      {"test", "operations", "median", "90 %", "99 %", "99.9 %", "slowest"}};
  for (const auto& [order, result] : ordered) {
    std::string label = result->test + ", ";
    if (result->block_bytes > 0) label += bytes_word(result->block_bytes, " ") + ", ";
    label += line_label(*result);
    const IoLatency& one = result->latency;
    std::vector<std::optional<double>> values{one.p50, one.p90, one.p99, one.p99_9,
                                              static_cast<double>(one.max)};
    std::vector<HtmlCell> row{html_escaped(label), with_commas(result->operations)};
    for (auto& value : values) {
      if (value) *value /= 1e3;
      row.push_back(number_html("{:.1f}", value));
    }
    drawing.add(label, values);
    table.rows.push_back(std::move(row));
  }
  return "<h3>Latency</h3>\n<figure class=\"chart wide\">\n" +
         drawing.html(id + "-latency", "Latency of single operations.", table) + "</figure>\n";
}

std::string means_table(const FilesystemTable& table) {
  const std::string& first = table.filesystems.front();
  HtmlTable html{"How many times as fast " + first + " is: geometric mean and largest of a group",
                 {"tests", "how many"}};
  for (std::size_t k = 1; k < table.filesystems.size(); ++k) {
    html.header.push_back(html_escaped(first + "/" + table.filesystems[k]));
    html.header.push_back("largest");
  }
  for (const FilesystemMean& mean : table.means) {
    std::vector<HtmlCell> row{html_escaped(mean.group + ", " + processes_text(mean.processes)),
                              std::to_string(mean.tests)};
    for (std::size_t k = 0; k < mean.geometric_means.size(); ++k) {
      row.push_back(number_html("{:.2f}", mean.geometric_means[k]));
      row.push_back(number_html("{:.2f}", mean.maxima[k]) + "<small>" +
                    html_escaped(mean.maximum_tests[k]) + "</small>");
    }
    html.rows.push_back(std::move(row));
  }
  return to_html(html);
}

std::string rows_table(const FilesystemTable& table) {
  HtmlTable html{"Every test: medians, and how many times as fast the first filesystem is",
                 {"test", "processes", {"unit", "text"}}};
  for (const std::string& name : table.filesystems) html.header.push_back(html_escaped(name));
  for (std::size_t k = 1; k < table.filesystems.size(); ++k)
    html.header.push_back(html_escaped(table.filesystems.front() + "/" + table.filesystems[k]));
  for (const FilesystemRow& row : table.rows) {
    std::vector<HtmlCell> cells{html_escaped(row.test), std::to_string(row.processes), row.unit};
    for (const auto& median : row.medians) cells.push_back(number_html("{:.4g}", median));
    for (const auto& ratio : row.ratios) {
      std::string text = ratio ? fmt::format("{:.2f}", ratio->value) : html_none("none");
      if (ratio && ratio->interval && !ratio->is_different())
        text += "<small>not distinguished</small>";
      cells.push_back(std::move(text));
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

// Columns of the table of results.
constexpr std::ptrdiff_t kBehindInterval = 4;

std::string rank_spread_html(const IoResult& result) {
  const auto ranks = rank_spread_of(result);
  if (!ranks) return html_none("none");
  return fmt::format("{:.4g}<small>rank {}, &plusmn;{:.0f} %</small>", ranks->median,
                     ranks->slowest, ranks->spread * 50);
}

std::string results_table(const std::vector<IoResult>& results, bool has_ranks) {
  if (results.empty()) return {};
  HtmlTable table{
      "Every test, beside what others published",
      {"test", {"unit", "text"}, "median", "95 % interval", "ceiling", {"published", "text"}}};
  if (has_ranks) table.header.insert(table.header.begin() + kBehindInterval, "slowest rank");
  for (const IoResult& result : results) {
    std::string figure = fmt::format("{:.4g}", result.median);
    if (result.error) {
      figure = html_none(*result.error);
    } else if (!result.is_result()) {
      figure = "<small class=\"flag\">above the ceiling</small>";
    }
    const bool sure = result.is_result() && result.interval.has_value();
    table.rows.push_back(
        {html_escaped(result.name),
         html_escaped(result.unit),
         {figure, result.error ? "text" : "n"},
         sure ? fmt::format("{:.4g} to {:.4g}", result.interval->low, result.interval->high)
              : html_none("none"),
         result.ceiling_mb_s > 0 ? fmt::format("{:.0f}", result.ceiling_mb_s) : html_none("none"),
         html_escaped(result.published)});
    auto& row = table.rows.back();
    if (has_ranks) row.insert(row.begin() + kBehindInterval, rank_spread_html(result));
  }
  return html_details("Every test as a table", to_html(table));
}

std::string saved_html(const SavedIo& saved, const std::string& id) {
  std::string html =
      fmt::format("<article class=\"io\">\n<p class=\"machine\">{}: {}, {}, commit {}</p>\n",
                  html_escaped(saved.file), html_escaped(saved.machine), html_escaped(saved.date),
                  html_escaped(saved.commit));
  const auto add_targets = [&](const std::string& whose, const std::vector<IoTarget>& targets) {
    for (const IoTarget& target : targets) {
      html += fmt::format("<p class=\"machine\">{}{}: {}, {}</p>\n", html_escaped(whose),
                          html_escaped(target.path.string()), html_escaped(target.place),
                          html_escaped(target.mount_options));
    }
  };
  for (const IoRank& rank : saved.run.ranks) add_targets(rank.name + ": ", rank.targets);
  if (saved.run.ranks.empty()) add_targets("", saved.run.targets);
  const std::vector<IoResult> plain = plain_results(saved.run);
  html += filesystems_html(saved.run) + block_figures(plain, id) + latency_figure(plain, id) +
          results_table(plain, !saved.run.ranks.empty());
  if (!saved.run.preflight.empty())
    html += "<h4>Found before the run</h4>\n" + html_list(saved.run.preflight);
  if (!saved.run.left_out.empty())
    html += "<h4>Left out, and what to know</h4>\n" + html_list(saved.run.left_out);
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
      "(Benchmarking methodology, and Migrating a kdb+ HDB to Amazon EC2, 2018).</p>\n";
  html += kNoScript;
  for (std::size_t i = 0; i < saved.size(); ++i)
    html += saved_html(saved[i], fmt::format("io-{}", i + 1));
  return html + "</section>\n";
}

}  // namespace hdbench::bench
