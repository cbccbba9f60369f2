#include "bench/report/views/thread_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "bench/base/number_text.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

using Cells = std::vector<const ReportCell*>;

bool has_time(const ReportCell* cell) {
  return cell != nullptr && median_ms(cell->result).value_or(0) > 0;
}

// Shown to be no gain: where nothing is known, it is not shown.
bool gains_nothing(const std::optional<Ratio>& gain) {
  return gain && gain->interval && gain->interval->high <= kThreadGain;
}

std::optional<std::size_t> enough_of(const ReportPivot& pivot, const Cells& cells) {
  Cells timed;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(timed), has_time);
  for (auto few = timed.begin(); few != timed.end() && few + 1 != timed.end(); ++few) {
    const bool is_enough = std::all_of(few + 1, timed.end(), [&](const ReportCell* more) {
      return gains_nothing(pivot.ratio(**few, *more));
    });
    if (is_enough) return (*few)->result.setting.threads;
  }
  return std::nullopt;
}

std::optional<ScalingFit> fit_of(const ReportPivot& pivot, const Cells& cells) {
  std::vector<ScalingPoint> points;
  for (const ReportCell* const cell : cells) {
    if (!has_time(cell) || pivot.is_impossible(*cell) || pivot.is_cached(*cell)) continue;
    const std::size_t cpus = pivot.input().runs[cell->run].context.host.cpus;
    const std::size_t threads = cell->result.setting.threads;
    if (cpus == 0 || threads <= cpus) points.push_back({threads, cell->result.times()});
  }
  return fit_scaling(points);
}

// Why threads do not have a CPU each; empty where they have.
std::string shared_cpus(const Host& host, const CellResult& cell) {
  const std::size_t threads = cell.setting.threads;
  if (host.cpus != 0 && threads > host.cpus) return threads_on_cpus(threads, host.cpus);
  if (host.quota_cpus && static_cast<double>(threads) > *host.quota_cpus)
    return fmt::format("{} on the time of {:.3g} CPUs", threads_text(threads), *host.quota_cpus);
  if (cell.throttled_periods.value_or(0) > 0)
    return fmt::format("the quota stopped them in {} periods", *cell.throttled_periods);
  return {};
}

// Whether the times follow a law by which threads lose something.
bool is_explained(const ThreadLine& line) {
  if (!line.fit || !line.fit->is_tested() || !line.fit->is_met()) return false;
  const auto& sigma = line.fit->sigma_interval;
  return (sigma && sigma->low > 0) || !line.fit->is_amdahl();
}

std::pair<Binding, std::string> binding_of(const ReportPivot& pivot, const ThreadLine& line,
                                           const ReportCell* last) {
  if (!has_time(last) || !line.points.back().speedup) return {Binding::kUnknown, "no time"};
  const std::size_t threads = last->result.setting.threads;
  const Host& host = pivot.input().runs[last->run].context.host;
  const std::string shared = shared_cpus(host, last->result);
  if (!shared.empty()) return {Binding::kCpus, shared};
  if (line.points.back().efficiency_percent >= kUnboundPercent) return {Binding::kNothing, ""};
  if (pivot.is_cached(*last)) return {Binding::kUnknown, "partly the caches' figure"};
  if (last->result.emulated) return {Binding::kUnknown, "the device is emulated"};
  if (const auto ceiling = pivot.ceiling(*last); ceiling.ok() && !ceiling->above()) {
    const auto what = ceiling->kind == CeilingKind::kDevice ? Binding::kDevice : Binding::kMemory;
    if (ceiling->percent >= kBoundPercent)
      return {what,
              fmt::format("{:.0f} % of the {} ceiling", ceiling->percent, word(ceiling->kind))};
  }
  if (host.cores != 0 && threads > host.cores)
    return {Binding::kCpus, fmt::format("{} on {} cores", threads_text(threads), host.cores)};
  if (!is_explained(line)) {
    return {Binding::kUnknown,
            line.fit && !line.fit->is_tested() ? "two thread counts do not tell" : ""};
  }
  const double pairs = line.fit->kappa * static_cast<double>(threads);
  return {pairs > line.fit->sigma ? Binding::kPairs : Binding::kSerial, ""};
}

ThreadLine line_of(const ReportPivot& pivot, const ThreadGroup& group, std::size_t query) {
  ThreadLine line;
  line.query = query;
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
  line.fit = fit_of(pivot, cells);
  std::string why;
  std::tie(line.binding, why) = binding_of(pivot, line, cells.back());
  line.binding_text = fmt::format("{}{}{}", word(line.binding), why.empty() ? "" : ": ", why);
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

std::string thread_label(const ReportPivot& pivot, const ReportBlock& block, std::size_t column) {
  const ReportColumn& where = pivot.column(column);
  return fmt::format("{}, {}{}", where.label, axes_text(pivot, block),
                     where.emulated ? " (" + where.emulation + ")" : "");
}

}  // namespace

std::string_view word(Binding binding) {
  switch (binding) {
    case Binding::kNothing: return "nothing yet";
    case Binding::kCpus: return "shared CPUs";
    case Binding::kMemory: return "memory";
    case Binding::kDevice: return "the device";
    case Binding::kSerial: return "the serial part";
    case Binding::kPairs: return "what threads cost one another";
    case Binding::kUnknown: break;
  }
  return "not determined";
}

std::string speedup_text(const ThreadPoint& point) {
  if (!point.speedup) return {};
  return fmt::format("{}, {:.0f} %", format_ratio(point.speedup->value), point.efficiency_percent);
}

std::string law_text(const ThreadLine& line) {
  return line.fit ? fit_text(*line.fit) : "none without times on one thread and on more";
}

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
          thread_label(pivot, block, column), block, column, counts_of(pivot, block, column), {}};
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

}  // namespace hdbench::bench
