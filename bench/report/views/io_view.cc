#include "bench/report/views/io_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace hdbench {
namespace {

std::string count_text(std::size_t processes) {
  return fmt::format("{} process{}", processes, processes == 1 ? "" : "es");
}

std::string chart_title(const IoResult& result) {
  return result.cache == "none" || result.cache.empty() ? result.test
                                                        : result.test + ", " + result.cache;
}

std::string line_label(const IoResult& result) {
  std::string label = result.engine;
  if (!result.sync.empty() && result.sync != "none") label += ", " + result.sync;
  return label + ", " + count_text(result.processes);
}

bool has_block(const IoResult& result) {
  return result.block_bytes > 0 && result.unit == "MB/s" && result.is_result() &&
         result.group != "cpu";
}

BlockLine& line_of(BlockChart& chart, const std::string& label) {
  for (BlockLine& line : chart.lines) {
    if (line.label == label) return line;
  }
  chart.lines.push_back({label, {}, {}});
  chart.lines.back().mb_per_s.resize(chart.blocks.size());
  chart.lines.back().intervals.resize(chart.blocks.size());
  return chart.lines.back();
}

}  // namespace

std::vector<BlockChart> block_charts(const std::vector<IoResult>& results) {
  std::vector<std::string> titles;
  for (const IoResult& result : results) {
    const std::string title = chart_title(result);
    if (has_block(result) && std::find(titles.begin(), titles.end(), title) == titles.end()) {
      titles.push_back(title);
    }
  }
  std::vector<BlockChart> charts;
  for (const std::string& title : titles) {
    std::set<std::uint64_t> blocks;
    for (const IoResult& result : results) {
      if (has_block(result) && chart_title(result) == title) blocks.insert(result.block_bytes);
    }
    if (blocks.size() < 2) continue;
    BlockChart chart{title, {blocks.begin(), blocks.end()}, {}};
    for (const IoResult& result : results) {
      if (!has_block(result) || chart_title(result) != title) continue;
      BlockLine& line = line_of(chart, line_label(result));
      const auto place = std::find(chart.blocks.begin(), chart.blocks.end(), result.block_bytes) -
                         chart.blocks.begin();
      line.mb_per_s[static_cast<std::size_t>(place)] = result.median;
      line.intervals[static_cast<std::size_t>(place)] = result.interval;
    }
    charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<LatencyLine> latency_lines(const std::vector<IoResult>& results) {
  // Single calls first, then reads by the size of their blocks: what is drawn is the first few.
  std::vector<const IoResult*> ordered;
  for (const IoResult& result : results) ordered.push_back(&result);
  std::stable_sort(ordered.begin(), ordered.end(), [](const IoResult* a, const IoResult* b) {
    return std::pair(a->unit != "ms", a->block_bytes) < std::pair(b->unit != "ms", b->block_bytes);
  });
  std::vector<LatencyLine> lines;
  for (const IoResult* one : ordered) {
    const IoResult& result = *one;
    const bool by_operation = result.unit == "ms" || result.test == "random-read";
    if (!by_operation || result.cache == "warm" || result.group == "cpu") continue;
    if (!result.latency.p50 || !result.is_result()) continue;
    std::string label = result.test + ", ";
    if (result.block_bytes > 0) label += block_text(result.block_bytes) + ", ";
    lines.push_back({label + line_label(result), result.what, result.latency, result.operations});
  }
  return lines;
}

std::string block_text(std::uint64_t bytes) {
  if (bytes >= (1 << 20) && bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= 1024 && bytes % 1024 == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

}  // namespace hdbench
