#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/base/statistics.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/thread_view.h"

namespace hdbench::bench {
namespace {

// A line, and the header of its fields' names.
class CsvLine {
 public:
  template <typename T>
  void operator()(std::string_view name, const T& value) {
    add(header_, name);
    add(line_, fmt::format("{}", value));
  }
  template <typename T>
  void operator()(std::string_view name, const std::optional<T>& value) {
    add(header_, name);
    add(line_, value ? fmt::format("{}", *value) : "");
  }
  std::string header() const { return header_.substr(1) + "\r\n"; }
  std::string line() const { return line_.substr(1) + "\r\n"; }

 private:
  static void add(std::string& line, std::string_view value) {
    line += ',';
    const bool is_plain = value.find_first_of(",\"\r\n") == std::string_view::npos;
    if (is_plain) {
      line += value;
      return;
    }
    line += '"';
    for (const char c : value) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  std::string header_;
  std::string line_;
};

// The value's member, or nothing. Inlined, GCC takes nothing's member for read.
template <typename T, typename M>
[[gnu::noinline]] std::optional<M> member(const std::optional<T>& value, M T::* which) {
  return value ? std::optional((*value).*which) : std::nullopt;
}

void add_setting(const ReportPivot& pivot, const ReportCell& cell, CsvLine& line) {
  const ReportInput& input = pivot.input();
  const CellResult& result = cell.result;
  const Setting& setting = result.setting;
  const bool is_peer = result.peer.has_value();
  line("file", input.runs[cell.run].file);
  line("machine", input.machines[cell.machine]);
  line("dataset", input.datasets[cell.dataset].name);
  line("engine", is_peer ? result.peer->engine : "hdbench");
  line("query", result.query);
  line("query_text", result.text);
  line("medium", setting.medium);
  line("medium_label", result.medium_label);
  line("place", setting.place);
  line("results", setting.results);
  line("spill", setting.spill);
  line("emulated", result.emulated);
  line("profile", result.profile);
  line("emulation", is_peer ? "" : pivot.column(pivot.column_of(cell)).emulation);
  for (const Axis& axis : axes()) {
    if (axis.name == "medium" || (axis.shown == Axis::Shown::kUnlessUsual && !axis.is_own))
      continue;
    const std::string of_peer = axis.name == "codes" && is_peer ? result.peer->codes : "";
    line(axis.key, axis.is_own && is_peer ? of_peer : axis.word(setting));
  }
}

void add_times(const ReportPivot& pivot, const ReportCell& cell, CsvLine& line) {
  const CellResult& result = cell.result;
  const bool has_time = median_ms(result).has_value();
  const auto summary = has_time ? std::optional(summarise(result.real_ms)) : std::nullopt;
  const auto interval = has_time ? pivot.interval(cell) : std::nullopt;
  line("repetitions", result.real_ms.size());
  line("visits", std::max<std::size_t>(1, result.visits.size()));
  line("median_ms", member(summary, &Summary::median));
  line("low_ms", member(interval, &Interval::low));
  line("high_ms", member(interval, &Interval::high));
  line("min_ms", member(summary, &Summary::min));
  line("max_ms", member(summary, &Summary::max));
  line("cpu_ms", median_cpu_ms(result));
}

void add_gain(const ReportPivot& pivot, const ReportCell& cell, CsvLine& line) {
  std::string reference;
  std::optional<Ratio> ratio;
  if (!cell.result.peer) {
    const std::size_t column = pivot.column_of(cell);
    reference = pivot.column(pivot.column(column).reference).label;
    ratio = pivot.gain(block_of(cell), column, cell.query);
  }
  const auto interval = ratio ? ratio->interval : std::nullopt;
  line("reference", reference);
  line("times_as_fast", member(ratio, &Ratio::value));
  line("times_low", member(interval, &Interval::low));
  line("times_high", member(interval, &Interval::high));
  line("different", interval ? std::optional(ratio->is_different()) : std::nullopt);
}

// What threads give a cell, and its query on all counts. Empty: it was run on one count.
struct ThreadFigures {
  const ThreadPoint* point = nullptr;
  const ThreadLine* line = nullptr;
};

ThreadFigures thread_figures(const ReportPivot& pivot, const std::vector<ThreadGroup>& groups,
                             const ReportCell& cell) {
  if (cell.result.peer) return {};
  const ReportBlock block = block_of(cell);
  const std::size_t column = pivot.column_of(cell);
  for (const ThreadGroup& group : groups) {
    if (group.column != column || !(group.block.on(block.threads) == block)) continue;
    const auto at = std::ranges::find(group.threads, block.threads) - group.threads.begin();
    const auto line = std::ranges::find(group.lines, cell.query, &ThreadLine::query);
    if (line == group.lines.end()) return {};
    return {&line->points[static_cast<std::size_t>(at)], &*line};
  }
  return {};
}

void add_threads(const ThreadFigures& of, CsvLine& line) {
  const auto speedup = of.point == nullptr ? std::nullopt : of.point->speedup;
  const auto interval = speedup ? speedup->interval : std::nullopt;
  const auto fit = of.line == nullptr ? std::nullopt : of.line->fit;
  const auto serial = fit ? fit->sigma_interval : std::nullopt;
  const auto pairs = fit ? fit->kappa_interval : std::nullopt;
  line("speed_up", member(speedup, &Ratio::value));
  line("speed_up_low", member(interval, &Interval::low));
  line("speed_up_high", member(interval, &Interval::high));
  line("efficiency_percent", speedup ? std::optional(of.point->efficiency_percent) : std::nullopt);
  line("serial_share", member(fit, &ScalingFit::sigma));
  line("serial_low", member(serial, &Interval::low));
  line("serial_high", member(serial, &Interval::high));
  line("pair_share", member(fit, &ScalingFit::kappa));
  line("pair_low", member(pairs, &Interval::low));
  line("pair_high", member(pairs, &Interval::high));
  line("binds_most_threads", of.line == nullptr ? "" : of.line->binding_text);
  line("enough_threads", of.line == nullptr ? std::nullopt : of.line->enough);
}

// Of a peer's cell nothing of this is measured.
void add_costs(const ReportPivot& pivot, const ReportCell& cell, CsvLine& line) {
  const CellResult& result = cell.result;
  const auto own = [&](std::string_view name, const auto& value) {
    result.peer ? line(name, "") : line(name, value);
  };
  const Result<CellCeiling> found = pivot.ceiling(cell);
  const auto ceiling = found.ok() ? std::optional(*found) : std::nullopt;
  own("bytes_read", result.bytes_read);
  own("bytes_written", result.bytes_written);
  own("bytes_unpacked", result.bytes_unpacked);
  own("gb_per_s", gb_per_s(result));
  own("ceiling", ceiling ? word(ceiling->kind) : "");
  own("ceiling_percent", member(ceiling, &CellCeiling::percent));
  own("above_ceiling", ceiling ? std::optional(ceiling->is_above) : std::nullopt);
  own("ceiling_reason", ceiling ? "" : found.error().message);
  own("cached", pivot.is_cached(cell));
  own("used_workspace_bytes", result.used_bytes);
  own("peak_workspace_bytes", result.peak_workspace_bytes);
  own("spilled_bytes", result.spilled_bytes);
  own("resident_before_bytes", result.resident_before());
  own("resident_of_bytes", result.held_bytes);
  own("major_faults", result.major_faults);
}

CsvLine csv_line(const ReportPivot& pivot, const std::vector<ThreadGroup>& groups,
                 const ReportCell& cell) {
  const CellResult& result = cell.result;
  CsvLine line;
  add_setting(pivot, cell, line);
  add_times(pivot, cell, line);
  add_gain(pivot, cell, line);
  add_threads(thread_figures(pivot, groups, cell), line);
  line("rows_in", result.rows_in);
  line("rows_out", result.rows_out);
  add_costs(pivot, cell, line);
  line("device_bytes", result.device_bytes);
  line("checksum", result.checksum ? fmt::format("{:016x}", *result.checksum) : "");
  line("error", result.error);
  return line;
}

}  // namespace

std::string csv_table(const ViewTable& table) {
  std::string text;
  for (const std::vector<ViewCell>& row : table.rows) {
    CsvLine line;
    for (std::size_t i = 0; i < row.size(); ++i) line(table.columns[i].title, row[i].text);
    text += (text.empty() ? line.header() : "") + line.line();
  }
  return text;
}

std::string csv_report(const ReportPivot& pivot) {
  const std::vector<ThreadGroup> groups = thread_groups(pivot);
  std::string text = csv_line(pivot, groups, pivot.input().cells.front()).header();
  for (const auto* cells : {&pivot.input().cells, &pivot.input().peers}) {
    for (const ReportCell& cell : *cells) text += csv_line(pivot, groups, cell).line();
  }
  return text;
}

}  // namespace hdbench::bench
