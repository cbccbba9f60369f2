#include "bench/model/cell_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bench/base/statistics.h"

namespace hdbench::bench {

std::string CellResult::name() const {
  if (!peer) return query_label(query) + "/" + setting_name(setting);
  return fmt::format("{}/engine:{}/medium:{}/layout:{}/threads:{}", query_label(query),
                     peer->engine, setting.medium, word(setting.layout), setting.threads);
}

void add_reload(CellResult& cell, const CellResult& load, std::size_t number) {
  const bool is_first = cell.real_ms.empty();
  const CellResult before = cell;
  cell = load;
  cell.visits = before.visits;
  if (cell.visits.empty() && !is_first) cell.visits.push_back(before.real_ms.size());
  if (!load.real_ms.empty()) cell.visits.push_back(load.real_ms.size());
  cell.real_ms = before.real_ms;
  cell.cpu_ms = before.cpu_ms;
  cell.real_ms.insert(cell.real_ms.end(), load.real_ms.begin(), load.real_ms.end());
  cell.cpu_ms.insert(cell.cpu_ms.end(), load.cpu_ms.begin(), load.cpu_ms.end());
  if (!is_first) cell.rank_times = before.rank_times;
  for (std::size_t rank = 0; !is_first && rank < load.rank_times.size(); ++rank)
    add_times(cell.rank_times[rank], load.rank_times[rank]);
  cell.error_visit = number;
  if (before.error) {
    cell.error = before.error;
    cell.error_visit = before.error_visit;
  }
  if (cell.error) cell.rows_out.reset();
  if (is_first) return;
  if (before.throttled_periods)
    cell.throttled_periods = cell.throttled_periods.value_or(0) + *before.throttled_periods;
  const auto most = [](auto& figure, const auto& other) { figure = std::max(figure, other); };
  most(cell.peak_workspace_bytes, before.peak_workspace_bytes);
  most(cell.spilled_bytes, before.spilled_bytes);
  most(cell.resident_max_bytes, before.resident_max_bytes);
  most(cell.major_faults, before.major_faults);
  most(cell.minor_faults, before.minor_faults);
  most(cell.device_bytes, before.device_bytes);  // an empty one compares as the least
  if (!load.real_ms.empty()) {
    cell.resident_min_bytes = std::min(cell.resident_min_bytes, before.resident_min_bytes);
  }
}

void keep_reloads(CellResult& cell, std::size_t loads) {
  if (cell.error && cell.error_visit >= loads) {
    cell.error.reset();
    cell.checksum.reset();
  }
  if (cell.visits.size() <= loads) return;
  cell.visits.resize(loads);
  const std::size_t kept = std::accumulate(cell.visits.begin(), cell.visits.end(), std::size_t{0});
  cell.real_ms.resize(kept);
  cell.cpu_ms.resize(std::min(cell.cpu_ms.size(), kept));
  for (RankCellTimes& rank : cell.rank_times) keep_times(rank, kept);
}

std::optional<double> median_ms(const CellResult& cell) {
  if (!cell.rows_out || cell.real_ms.empty()) return std::nullopt;
  return median(cell.real_ms);
}

std::optional<double> gb_per_s(const CellResult& cell) {
  const double ms = median_ms(cell).value_or(0);
  if (ms <= 0) return std::nullopt;
  return static_cast<double>(cell.bytes_read + cell.bytes_written) / (ms * 1e6);
}

std::optional<double> median_cpu_ms(const CellResult& cell) {
  const bool has_unknown =
      std::find(cell.cpu_ms.begin(), cell.cpu_ms.end(), 0.0) != cell.cpu_ms.end();
  if (!median_ms(cell) || cell.cpu_ms.empty() || has_unknown) return std::nullopt;
  return median(cell.cpu_ms);
}

Status ChecksumLedger::add(int query, const std::string& cell, std::uint64_t checksum) {
  const auto [entry, is_first] = first_.try_emplace(query, First{cell, checksum});
  const First& first = entry->second;
  if (is_first || first.checksum == checksum) return ok_status();
  return Error{ErrorKind::kMismatch,
               fmt::format("{}: checksum {:016x}, but {} gave {:016x}: the results differ", cell,
                           checksum, first.cell, first.checksum),
               {}};
}

}  // namespace hdbench::bench
