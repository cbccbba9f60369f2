#include "bench/report/views/paper_charts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "bench/base/version.h"
#include "bench/report/views/figure_text.h"
#include "pmem/emulator/emulated_meter.h"

namespace hdbench::bench {
namespace {

constexpr double kSecondMs = 1000;

// The slowest bar of each query that has one.
std::vector<std::pair<double, std::size_t>> slowest_bars(const ReportPivot& pivot,
                                                         std::size_t dataset) {
  const auto threads = pivot.threads(dataset);
  std::map<std::size_t, double> slowest;
  for (const ReportCell& cell : pivot.input().cells) {
    const ReportBlock block = block_of(cell);
    if (block.dataset != dataset || block.threads != threads.back() || block.limit_mib != 0)
      continue;
    if (const auto ms = median_ms(cell.result))
      slowest[cell.query] = std::max(slowest[cell.query], *ms);
  }
  std::vector<std::pair<double, std::size_t>> bars;
  for (const auto& [query, ms] : slowest) bars.emplace_back(ms, query);
  std::sort(bars.begin(), bars.end());
  return bars;
}

// The middle, by ratio, of the widest gap.
double widest_gap(const std::vector<std::pair<double, std::size_t>>& bars) {
  double widest = 0;
  double at = 0;
  for (std::size_t i = 0; i + 1 < bars.size(); ++i) {
    const double below = bars[i].first;
    const double above = bars[i + 1].first;
    if (below <= 0 || above / below <= widest) continue;
    widest = above / below;
    at = below * std::sqrt(widest);
  }
  return at;
}

std::string command_for(const ReportPivot& pivot, std::optional<std::size_t> dataset, AttrUse attr,
                        Mode mode) {
  std::set<std::string> media{"nvme", "dram"};
  for (const ReportColumn& column : pivot.columns()) media.insert(column.setting.medium);
  std::set<std::size_t> threads;
  for (const ReportBlock& block : pivot.blocks()) threads.insert(block.threads);
  const std::string database =
      dataset ? shell_word(pivot.input().datasets[*dataset].database) : "LARGER_DATABASE";
  const std::string& file = pivot.input().runs.front().context.query_file;
  const std::string queries = file == "paper.q" ? "" : " --queries " + shell_word(file);
  return fmt::format(
      "hdbench run {}{} --medium {} --layout partitioned,flat --attr {} --mode {} -s {} --cache "
      "cold,warm --out more.json",
      database, queries, shell_word(fmt::format("{}", fmt::join(media, ","))), word(attr),
      word(mode), fmt::join(threads, ","));
}

void fill_chart(const ReportPivot& pivot, std::size_t dataset, AttrUse attr, Mode mode,
                PaperChart& chart) {
  std::set<std::size_t> columns;
  for (const std::size_t threads : pivot.threads(dataset)) {
    const ReportBlock block{dataset, attr, mode, threads, 0};
    const auto& blocks = pivot.blocks();
    if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) continue;
    chart.threads.push_back(threads);
    chart.block = block;
    for (const std::size_t column : pivot.columns_of(block)) columns.insert(column);
  }
  chart.columns.assign(columns.begin(), columns.end());
}

struct Axes {
  bool is_large = false;  // of the larger database
  AttrUse attr = AttrUse::kNone;
  Mode mode = Mode::k36;
};

PaperChart chart_of(const ReportPivot& pivot, const Axes& axes, bool is_slow, int number) {
  const auto dataset = axes.is_large ? pivot.large_dataset() : pivot.main_dataset();
  PaperChart chart;
  chart.number = number;
  chart.title =
      fmt::format("{}mode {}, {}: the {} queries", axes.is_large ? "the larger database, " : "",
                  word(axes.mode), attr_text(axes.attr), is_slow ? "longer" : "shorter");
  chart.title.front() = static_cast<char>(std::toupper(chart.title.front()));
  chart.command = command_for(pivot, dataset, axes.attr, axes.mode);
  if (!dataset) {
    chart.missing = axes.is_large
                        ? "No cell of a larger database was run (the study's has 784 partitions)."
                        : "Only the larger database was run.";
    return chart;
  }
  const ScaleSplit split = scale_split(pivot, *dataset);
  chart.queries = is_slow ? split.large : split.small;
  chart.subtitle = split.words;
  fill_chart(pivot, *dataset, axes.attr, axes.mode, chart);
  if (!chart.block) {
    chart.missing =
        fmt::format("No cell with --attr {} --mode {} was run.", word(axes.attr), word(axes.mode));
  } else if (chart.queries.empty()) {
    chart.missing = "No query is on this scale: all are in the chart before.";
    chart.command.clear();
  }
  return chart;
}

}  // namespace

ScaleSplit scale_split(const ReportPivot& pivot, std::size_t dataset) {
  const auto bars = slowest_bars(pivot, dataset);
  ScaleSplit split;
  const bool parts =
      bars.size() > 1 && bars.front().first < kSecondMs && bars.back().first >= kSecondMs;
  split.at_ms = parts ? kSecondMs : widest_gap(bars);
  if (parts) {
    split.words = "Shorter queries take less than a second in their slowest bar.";
  } else if (bars.size() > 1) {
    split.words = fmt::format(
        "Shorter queries take less than {} in their slowest bar: the widest gap between queries, "
        "as a second does not part them here.",
        time_text(split.at_ms));
  }
  for (const auto& [ms, query] : bars)
    (bars.size() > 1 && ms >= split.at_ms ? split.large : split.small).push_back(query);
  const auto by_number = [&](std::size_t a, std::size_t b) {
    return pivot.input().queries[a].id < pivot.input().queries[b].id;
  };
  std::sort(split.small.begin(), split.small.end(), by_number);
  std::sort(split.large.begin(), split.large.end(), by_number);
  return split;
}

std::vector<PaperChart> paper_charts(const ReportPivot& pivot) {
  std::vector<PaperChart> charts;
  int number = 0;
  for (const Mode mode : {Mode::k36, Mode::k40}) {
    for (const AttrUse attr : {AttrUse::kNone, AttrUse::kParted}) {
      for (const bool is_slow : {false, true})
        charts.push_back(chart_of(pivot, {false, attr, mode}, is_slow, ++number));
    }
  }
  for (const bool is_slow : {false, true})
    charts.push_back(chart_of(pivot, {true, AttrUse::kParted, Mode::k40}, is_slow, ++number));
  return charts;
}

std::vector<PaperChart> own_charts(const ReportPivot& pivot) {
  std::vector<PaperChart> charts;
  for (const ReportBlock& block : pivot.blocks()) {
    const bool is_known = std::any_of(charts.begin(), charts.end(), [&](const PaperChart& chart) {
      return chart.block->on(block.threads) == block;
    });
    if (is_known || block.limit_mib != 0) continue;
    PaperChart chart;
    chart.number = static_cast<int>(charts.size()) + 1;
    chart.title = axes_text(pivot, block);
    chart.title.front() = static_cast<char>(std::toupper(chart.title.front()));
    fill_chart(pivot, block.dataset, block.attr, block.mode, chart);
    for (const std::size_t query : pivot.queries()) {
      const bool was_run = std::any_of(
          chart.columns.begin(), chart.columns.end(),
          [&](std::size_t column) { return pivot.cell(*chart.block, column, query) != nullptr; });
      if (was_run) chart.queries.push_back(query);
    }
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace hdbench::bench
