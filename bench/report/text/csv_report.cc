#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/base/statistics.h"
#include "bench/report/text/text_reports.h"

namespace hdbench {
namespace {

constexpr std::array kNames{"file",
                            "machine",
                            "dataset",
                            "engine",
                            "query",
                            "query_text",
                            "medium",
                            "medium_label",
                            "place",
                            "results",
                            "emulated",
                            "profile",
                            "emulation",
                            "layout",
                            "attr",
                            "mode",
                            "threads",
                            "cache",
                            "limit_mib",
                            "codes",
                            "prefetch",
                            "repetitions",
                            "visits",
                            "median_ms",
                            "low_ms",
                            "high_ms",
                            "min_ms",
                            "max_ms",
                            "cpu_ms",
                            "reference",
                            "times_as_fast",
                            "times_low",
                            "times_high",
                            "different",
                            "rows_in",
                            "rows_out",
                            "bytes_read",
                            "bytes_written",
                            "gb_per_s",
                            "ceiling",
                            "ceiling_percent",
                            "above_ceiling",
                            "ceiling_reason",
                            "used_workspace_bytes",
                            "peak_workspace_bytes",
                            "spilled_bytes",
                            "resident_before_bytes",
                            "resident_of_bytes",
                            "major_faults",
                            "device_bytes",
                            "checksum",
                            "error"};

class Line {
 public:
  void text(std::string_view value) {
    if (!line_.empty() || has_field_) line_ += ',';
    has_field_ = true;
    if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
      line_ += value;
      return;
    }
    line_ += '"';
    for (const char c : value) line_ += c == '"' ? "\"\"" : std::string(1, c);
    line_ += '"';
  }
  template <typename T>
  void number(const T& value) {
    text(fmt::format("{}", value));
  }
  template <typename T>
  void number(const std::optional<T>& value) {
    text(value ? fmt::format("{}", *value) : "");
  }
  void yes_or_no(bool value) { text(value ? "true" : "false"); }
  void empty(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) text("");
  }
  std::string finish() const { return line_ + "\r\n"; }

 private:
  std::string line_;
  bool has_field_ = false;
};

void add_setting(const ReportPivot& pivot, const ReportCell& cell, Line& line) {
  const ReportInput& input = pivot.input();
  const CellResult& result = cell.result;
  const Setting& setting = result.setting;
  const bool is_peer = result.peer.has_value();
  line.text(input.runs[cell.run].file);
  line.text(input.machines[cell.machine]);
  line.text(input.datasets[cell.dataset].name);
  line.text(is_peer ? result.peer->engine : "hdbench");
  line.number(result.query);
  line.text(result.text);
  line.text(setting.medium);
  line.text(result.medium_label);
  line.text(setting.place);
  line.text(setting.results);
  line.yes_or_no(result.emulated);
  line.text(result.profile.value_or(""));
  line.text(is_peer ? "" : pivot.columns()[pivot.column_of(cell)].emulation);
  line.text(word(setting.layout));
  line.text(word(setting.attr));
  line.text(is_peer ? "" : word(setting.mode));
  line.number(setting.threads);
  line.text(word(setting.cache));
  line.number(setting.limit_mib);
  line.text(is_peer ? std::string_view(result.peer->codes) : word(setting.codes));
  line.text(is_peer ? "" : word(setting.prefetch));
}

void add_times(const ReportPivot& pivot, const ReportCell& cell, Line& line) {
  const CellResult& result = cell.result;
  line.number(result.real_ms.size());
  line.number(std::max<std::size_t>(1, result.visits.size()));
  if (!median_ms(result)) {
    line.empty(6);
    return;
  }
  const Summary summary = summarise(result.real_ms);
  const auto interval = pivot.interval(cell);
  line.number(summary.median);
  line.number(interval ? std::optional(interval->low) : std::nullopt);
  line.number(interval ? std::optional(interval->high) : std::nullopt);
  line.number(summary.min);
  line.number(summary.max);
  line.number(median_cpu_ms(result));
}

void add_gain(const ReportPivot& pivot, const ReportCell& cell, Line& line) {
  if (cell.result.peer) {
    line.empty(5);
    return;
  }
  const std::size_t column = pivot.column_of(cell);
  const Setting& setting = cell.result.setting;
  const ReportBlock block{cell.dataset, setting.attr, setting.mode, setting.threads,
                          setting.limit_mib};
  line.text(pivot.columns()[pivot.columns()[column].reference].label);
  const auto ratio = pivot.gain(block, column, cell.query);
  if (!ratio) {
    line.empty(4);
    return;
  }
  line.number(ratio->value);
  if (!ratio->interval) {
    line.empty(3);
    return;
  }
  line.number(ratio->interval->low);
  line.number(ratio->interval->high);
  line.yes_or_no(ratio->is_different());
}

void add_ceiling(const ReportPivot& pivot, const ReportCell& cell, Line& line) {
  const auto ceiling = pivot.ceiling(cell);
  const CellResult& result = cell.result;
  const auto ms = median_ms(result);
  const auto bytes = static_cast<double>(result.bytes_read + result.bytes_written);
  line.number(ms && *ms > 0 ? std::optional(bytes / (*ms * 1e6)) : std::nullopt);
  line.text(ceiling.ok() ? word(ceiling->kind) : "");
  line.number(ceiling.ok() ? std::optional(ceiling->percent) : std::nullopt);
  line.text(!ceiling.ok() ? "" : ceiling->above() ? "true" : "false");
  line.text(ceiling.ok() ? "" : ceiling.error().message);
}

std::string csv_line(const ReportPivot& pivot, const ReportCell& cell) {
  const CellResult& result = cell.result;
  Line line;
  add_setting(pivot, cell, line);
  add_times(pivot, cell, line);
  add_gain(pivot, cell, line);
  line.number(result.rows_in);
  line.number(result.rows_out);
  if (result.peer) {  // what is not measured of another engine
    line.empty(13);
  } else {
    line.number(result.bytes_read);
    line.number(result.bytes_written);
    add_ceiling(pivot, cell, line);
    line.number(result.used_bytes);
    line.number(result.peak_workspace_bytes);
    line.number(result.spilled_bytes);
    line.number(result.resident_before());
    line.number(result.held_bytes);
    line.number(result.major_faults);
  }
  line.number(result.device_bytes);
  line.text(result.checksum ? fmt::format("{:016x}", *result.checksum) : "");
  line.text(result.error.value_or(""));
  return line.finish();
}

}  // namespace

std::string csv_report(const ReportPivot& pivot) {
  Line header;
  for (const char* name : kNames) header.text(name);
  std::string text = header.finish();
  for (const ReportCell& cell : pivot.input().cells) text += csv_line(pivot, cell);
  for (const ReportCell& cell : pivot.input().peers) text += csv_line(pivot, cell);
  return text;
}

}  // namespace hdbench
