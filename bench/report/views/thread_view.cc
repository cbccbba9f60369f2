#include "bench/report/views/thread_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hdbench {
namespace {

using Cells = std::vector<const ReportCell*>;

bool has_time(const ReportCell* cell) {
  return cell != nullptr && median_ms(cell->result).value_or(0) > 0;
}

bool gains(const Ratio& ratio) {
  return ratio.value >= kThreadGain && ratio.interval && ratio.interval->low > 1;
}

std::optional<std::size_t> enough_of(const ReportPivot& pivot, const Cells& cells) {
  Cells timed;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(timed), has_time);
  if (timed.size() < 2) return std::nullopt;
  for (auto few = timed.begin(); few != timed.end(); ++few) {
    bool is_beaten = false;
    for (auto more = few + 1; more != timed.end() && !is_beaten; ++more) {
      const auto ratio = pivot.ratio(**few, **more);
      if (!ratio || !ratio->interval) return std::nullopt;
      is_beaten = gains(*ratio);
    }
    if (!is_beaten) return (*few)->result.setting.threads;
  }
  return std::nullopt;
}

ThreadLine line_of(const ReportPivot& pivot, const ThreadGroup& group, std::size_t query) {
  ThreadLine line{query, {}, {}};
  Cells cells;
  for (const std::size_t threads : group.threads) {
    cells.push_back(pivot.cell(group.block.on(threads), group.column, query));
    ThreadPoint point;
    if (has_time(cells.back())) point.ms = median_ms(cells.back()->result);
    if (has_time(cells.front()) && point.ms) {
      point.speedup = pivot.ratio(*cells.front(), *cells.back());
      const double widening =
          static_cast<double>(threads) / static_cast<double>(group.threads.front());
      point.efficiency_percent = 100 * *median_ms(cells.front()->result) / *point.ms / widening;
    }
    line.points.push_back(point);
  }
  line.enough = enough_of(pivot, cells);
  return line;
}

// Of the block's axes but the threads; empty unless two counts were run.
std::vector<std::size_t> counts_of(const ReportPivot& pivot, const ReportBlock& block,
                                   std::size_t column) {
  std::vector<std::size_t> counts;
  for (const std::size_t threads : pivot.threads(block.dataset)) {
    if (pivot.has(block.on(threads), column)) counts.push_back(threads);
  }
  return counts;
}

std::string label_of(const ReportPivot& pivot, const ReportBlock& block, std::size_t column) {
  const ReportColumn& where = pivot.column(column);
  return fmt::format("{}, {}{}", where.label, axes_text(pivot, block),
                     where.emulated ? " (" + where.emulation + ")" : "");
}

}  // namespace

std::vector<ThreadGroup> thread_groups(const ReportPivot& pivot) {
  std::vector<ThreadGroup> groups;
  std::vector<ReportBlock> seen;
  for (ReportBlock block : pivot.blocks()) {
    block.threads = pivot.threads(block.dataset).front();
    if (block.limit_mib != 0 || std::find(seen.begin(), seen.end(), block) != seen.end()) continue;
    seen.push_back(block);
    for (std::size_t column = 0; column < pivot.columns().size(); ++column) {
      if (pivot.stands_in(block, column)) continue;  // it has its own group without p
      ThreadGroup group{
          label_of(pivot, block, column), block, column, counts_of(pivot, block, column), {}};
      if (group.threads.size() < 2) continue;
      group.block.threads = group.threads.front();
      for (const std::size_t query : pivot.queries()) {
        ThreadLine line = line_of(pivot, group, query);
        const auto has_ms = [](const ThreadPoint& point) { return point.ms.has_value(); };
        if (std::any_of(line.points.begin(), line.points.end(), has_ms))
          group.lines.push_back(std::move(line));
      }
      if (!group.lines.empty()) groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace hdbench
