#include "bench/report/views/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

std::string rows_text(const std::vector<VerdictCell>& cells) {
  std::string text;
  for (const VerdictCell& cell : cells) {
    if (cell.cell == nullptr) continue;
    if (cell.cell->result.rows_out) return with_commas(*cell.cell->result.rows_out);
    text = "0N";
  }
  return text;
}

std::string time_line(const VerdictCell& cell) {
  const CellResult& result = cell.cell->result;
  if (!cell.ms) return "0N: " + result.error.value_or("no result");
  const std::size_t count = result.real_ms.size();
  if (!cell.interval)
    return fmt::format("{} ms; one repetition, so no interval", format_ms(*cell.ms));
  const std::string visits =
      result.visits.size() > 1 ? fmt::format(" in {} visits", result.visits.size()) : "";
  return fmt::format("{} ms, 95 % interval {}, median of {}{}", format_ms(*cell.ms),
                     interval_text(*cell.interval), count, visits);
}

std::string verdict_gain_line(const VerdictCell& cell, const std::string& reference) {
  return fmt::format("{} as fast as {}{}", ratio_with_interval(*cell.gain), reference,
                     cell.gain->is_same()     ? ": the same within 10 %"
                     : cell.gain->is_unsaid() ? ": no difference could be shown"
                                              : "");
}

std::string ceiling_line(const ReportPivot& pivot, const ReportCell& cell) {
  const auto ceiling = pivot.ceiling(cell);
  if (!ceiling.ok()) return "no ceiling: " + ceiling.error().message;
  return fmt::format("{:.2f} GB/s, {}{}", ceiling->gb_s, share_text(*ceiling),
                     ceiling->above() ? ": ABOVE it, do not trust this figure" : "");
}

std::string residency_line(const CellResult& result) {
  const std::string device =
      result.device_bytes ? ", " + bytes_text(*result.device_bytes) + " from the device" : "";
  return fmt::format("{}: {} of {} resident before, {} major faults{}", word(result.setting.cache),
                     bytes_text(result.resident_before()), bytes_text(result.held_bytes),
                     with_commas(result.major_faults), device);
}

}  // namespace

LeftOut left_out(const ReportPivot& pivot, const ReportCell& a, const ReportCell& b) {
  if (pivot.is_impossible(a) || pivot.is_impossible(b)) return LeftOut::kAboveCeiling;
  return pivot.is_cached(a) || pivot.is_cached(b) ? LeftOut::kCached : LeftOut::kNone;
}

void PairMean::add(const ReportPivot& pivot, std::size_t query, const ReportCell* a,
                   const ReportCell* b) {
  if (a == nullptr || b == nullptr) return;
  const auto ratio = pivot.ratio(*a, *b);
  if (!ratio) return;
  const LeftOut why = hdbench::bench::left_out(pivot, *a, *b);
  if (why == LeftOut::kAboveCeiling) {
    ++impossible;
  } else if (why == LeftOut::kCached) {
    ++cached;
  } else if (!ratio->interval || !(ratio->interval->low > 0)) {
    ++single;
  } else {
    queries.emplace_back(query, *ratio);
  }
}

std::optional<Ratio> PairMean::ratio() const {
  if (queries.empty()) return std::nullopt;
  std::vector<double> values;
  std::vector<double> lows;
  std::vector<double> highs;
  for (const auto& [query, ratio] : queries) {
    values.push_back(ratio.value);
    lows.push_back(ratio.interval->low);
    highs.push_back(ratio.interval->high);
  }
  return Ratio{geometric_mean(values), Interval{geometric_mean(lows), geometric_mean(highs)}};
}

std::string PairMean::left_out_text() const {
  std::vector<std::string> parts;
  if (impossible > 0) parts.push_back(fmt::format("{} above a ceiling", impossible));
  if (cached > 0) parts.push_back(fmt::format("{} cached", cached));
  if (single > 0) parts.push_back(fmt::format("{} without an interval", single));
  return fmt::format("{}", fmt::join(parts, ", "));
}

PairMean times_as_long(const ReportPivot& pivot, const PairPlace& a, const PairPlace& b) {
  PairMean mean;
  for (const std::size_t query : pivot.queries()) {
    mean.add(pivot, query, pivot.cell(a.block, a.column, query),
             pivot.cell(b.block, b.column, query));
  }
  return mean;
}

PairMean gains_over_reference(const ReportPivot& pivot, std::size_t column) {
  return times_as_long(pivot, {pivot.primary(), pivot.column(column).reference},
                       {pivot.primary(), column});
}

std::string cached_text(const ReportPivot& pivot) {
  std::uint64_t cache = 0;
  for (const SavedRun& run : pivot.input().runs)
    cache = std::max(cache, run.context.ceilings.memory.cache_bytes);
  return fmt::format("less than {} times the last-level caches ({} MiB)", kCachesOfData,
                     cache >> 20);
}

std::string faster_text(const std::string& what, const PairMean& mean, const std::string& than) {
  const auto ratio = mean.ratio();
  if (!ratio) return fmt::format("{}: cannot be judged (left out: {})", what, mean.left_out_text());
  const std::string interval = factors_text(*ratio->interval);
  if (!ratio->is_different())
    return fmt::format("{}: no difference could be shown ({})", what, interval);
  return fmt::format("{} {} as fast{} ({})", what, format_ratio(ratio->value), than, interval);
}

std::string share_text(const CellCeiling& ceiling) {
  return fmt::format("{:.0f} % of the {} ceiling", ceiling.percent, word(ceiling.kind));
}

VerdictCell verdict_cell(const ReportPivot& pivot, const ReportBlock& block, std::size_t column,
                         std::size_t query) {
  VerdictCell verdict;
  verdict.cell = pivot.cell(block, column, query);
  if (verdict.cell == nullptr) return verdict;
  verdict.ms = median_ms(verdict.cell->result);
  if (!verdict.ms) return verdict;
  verdict.interval = pivot.interval(*verdict.cell);
  if (pivot.column(column).reference != column) verdict.gain = pivot.gain(block, column, query);
  verdict.is_above_ceiling = pivot.is_impossible(*verdict.cell);
  verdict.is_cached = pivot.is_cached(*verdict.cell);
  return verdict;
}

char TableMarks::of(const VerdictCell& cell) {
  char mark = ' ';
  if (cell.is_above_ceiling) {
    mark = kAboveMark;
  } else if (cell.is_cached) {
    mark = kCachedMark;
  } else if (cell.gain && cell.gain->is_same()) {
    mark = kSameMark;
  } else if (cell.gain && cell.gain->interval && !cell.gain->is_different()) {
    mark = kUnsaidMark;
  }
  if (mark != ' ') add(mark);
  return mark;
}

std::string TableMarks::legend() const {
  const std::string cached =
      fmt::format("c moves less than {} times the last-level caches (in no mean)", kCachesOfData);
  const std::pair<char, std::string_view> meanings[] = {
      {kSameMark, "= the same within 10 %"},
      {kUnsaidMark, "? no difference could be shown"},
      {kAboveMark, "! above its ceiling for no known reason (in no mean)"},
      {kCachedMark, cached},
      {kEmulatedMark, "* emulated"}};
  std::string text;
  for (const auto& [mark, meaning] : meanings) {
    if (has(mark)) text += (text.empty() ? "" : ", ") + std::string(meaning);
  }
  return text;
}

VerdictTable verdict_table(const ReportPivot& pivot, const ReportBlock& block) {
  VerdictTable table{block, pivot.columns_of(block), {}, {}, {}};
  for (const std::size_t query : pivot.queries()) {
    VerdictRow row{query, {}, {}};
    for (const std::size_t column : table.columns) {
      row.cells.push_back(verdict_cell(pivot, block, column, query));
      const VerdictCell& cell = row.cells.back();
      if (cell.cell == nullptr || cell.ms) continue;
      add_once(table.reasons, fmt::format("{}: {}", pivot.label(query),
                                          cell.cell->result.error.value_or("it gave no result")));
    }
    row.rows = rows_text(row.cells);
    if (!row.rows.empty()) table.rows.push_back(std::move(row));
  }
  for (const std::size_t column : table.columns) {
    const std::size_t reference = pivot.column(column).reference;
    table.means.push_back(reference == column
                              ? PairMean()
                              : times_as_long(pivot, {block, reference}, {block, column}));
  }
  return table;
}

std::vector<std::string> cell_lines(const ReportPivot& pivot, const VerdictCell& cell,
                                    std::size_t column) {
  if (cell.cell == nullptr) return {};
  const CellResult& result = cell.cell->result;
  const ReportColumn& where = pivot.column(column);
  std::vector<std::string> lines{time_line(cell)};
  if (cell.gain) lines.push_back(verdict_gain_line(cell, pivot.column(where.reference).label));
  if (where.emulated) lines.push_back(where.emulation);
  lines.push_back(fmt::format("rows in {}, out {}", with_commas(result.rows_in),
                              result.rows_out ? with_commas(*result.rows_out) : "0N"));
  lines.push_back(fmt::format("{} read, {} written", bytes_text(result.bytes_read),
                              bytes_text(result.bytes_written)));
  if (cell.ms) lines.push_back(ceiling_line(pivot, *cell.cell));
  lines.push_back(
      "peak workspace " + bytes_text(result.peak_workspace_bytes) +
      (result.spilled_bytes == 0 ? "" : ", spilled " + bytes_text(result.spilled_bytes)));
  lines.push_back(residency_line(result));
  if (result.checksum) lines.push_back(fmt::format("checksum {:016x}", *result.checksum));
  return lines;
}

std::vector<RooflinePoint> roofline_points(const ReportPivot& pivot) {
  std::vector<RooflinePoint> points;
  for (std::size_t column = 0; column < pivot.columns().size(); ++column) {
    for (const std::size_t query : pivot.queries()) {
      const ReportCell* cell = pivot.cell(pivot.primary(), column, query);
      const double gb_s = cell == nullptr ? 0 : gb_per_s(cell->result).value_or(0);
      if (gb_s > 0) points.push_back({query, column, cell, gb_s, pivot.ceiling(*cell)});
    }
  }
  return points;
}

std::vector<std::pair<std::string, double>> roofline_ceilings(const ReportPivot& pivot) {
  std::vector<std::pair<std::string, double>> lines;
  const std::string threads = threads_text(pivot.primary().threads);
  // The run that the answers' cells are of.
  const auto cell = std::find_if(
      pivot.input().cells.begin(), pivot.input().cells.end(), [&](const ReportCell& one) {
        return one.dataset == pivot.primary().dataset && one.machine == 0;
      });
  if (cell == pivot.input().cells.end()) return lines;
  const RunCeilings& ceilings = pivot.input().runs[cell->run].context.ceilings;
  if (const ThreadCeilings* memory = ceilings.memory.of(pivot.primary().threads)) {
    lines.emplace_back("memory read, " + threads, memory->read_gb_s.high);
    lines.emplace_back("memory copy, " + threads, memory->copy_gb_s.high);
  }
  if (ceilings.device.known())
    lines.emplace_back("device, in order", ceilings.device.sequential.figure().high);
  return lines;
}

}  // namespace hdbench::bench
