#include "bench/report/views/peer_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/base/statistics.h"

namespace hdbench::bench {
namespace {

std::string engine_of(const ReportCell& cell) {
  const PeerLabel& peer = *cell.result.peer;
  return peer.version.empty() ? peer.engine : peer.engine + " " + peer.version;
}

bool is_of(const ReportCell& cell, const PeerTable& table) {
  return cell.dataset == table.dataset && cell.machine == table.machine &&
         cell.result.setting.threads == table.threads;
}

// The faster of the cells with and without p.
const ReportCell* own_cell(const ReportPivot& pivot, const PeerTable& table, std::size_t query) {
  const ReportCell* fastest = nullptr;
  for (const ReportCell& cell : pivot.input().cells) {
    const Setting& setting = cell.result.setting;
    if (!is_of(cell, table) || cell.query != query || setting.medium != "dram") continue;
    if (setting.layout != Layout::kFlat || setting.mode != Mode::k40) continue;
    if (setting.limit_mib != 0 || setting.codes != Codes::kStored) continue;
    if (!setting.place.empty() || !setting.results.empty() || !setting.spill.empty()) continue;
    const auto ms = median_ms(cell.result);
    if (!ms || (fastest != nullptr && *median_ms(fastest->result) <= *ms)) continue;
    fastest = &cell;
  }
  return fastest;
}

PeerFigure peer_figure_of(const ReportPivot& pivot, const PeerTable& table, std::size_t query,
                          const std::string& engine, const ReportCell* own) {
  PeerFigure figure;
  for (const ReportCell& cell : pivot.input().peers) {
    if (!is_of(cell, table) || cell.query != query || engine_of(cell) != engine) continue;
    figure.cell = &cell;
    figure.ms = median_ms(cell.result);
    if (own != nullptr && figure.ms && !cell.result.peer->unread)
      figure.times_hdbench = pivot.ratio(cell, *own);
  }
  return figure;
}

void fill_table(const ReportPivot& pivot, PeerTable& table) {
  for (const ReportCell& cell : pivot.input().peers) {
    if (is_of(cell, table)) add_once(table.engines, engine_of(cell));
  }
  for (const std::size_t query : pivot.queries()) {
    const ReportCell* own = own_cell(pivot, table, query);
    PeerRow row{query, own == nullptr ? std::nullopt : median_ms(own->result), {}};
    bool was_run = false;
    for (const std::string& engine : table.engines) {
      row.figures.push_back(peer_figure_of(pivot, table, query, engine, own));
      was_run = was_run || row.figures.back().cell != nullptr;
    }
    if (was_run) table.rows.push_back(std::move(row));
  }
}

// Means of different queries would not compare.
void take_means(PeerTable& table) {
  const auto has_ratio = [](const PeerRow& row, std::size_t engine) {
    return row.figures[engine].times_hdbench.has_value();
  };
  std::vector<std::size_t> engines;  // those that have any
  for (std::size_t i = 0; i < table.engines.size(); ++i) {
    if (std::any_of(table.rows.begin(), table.rows.end(),
                    [&](const PeerRow& row) { return has_ratio(row, i); }))
      engines.push_back(i);
  }
  std::vector<std::vector<double>> ratios(table.engines.size());
  for (const PeerRow& row : table.rows) {
    if (engines.empty() || !std::all_of(engines.begin(), engines.end(),
                                        [&](std::size_t i) { return has_ratio(row, i); })) {
      continue;
    }
    ++table.mean_queries;
    for (const std::size_t i : engines) ratios[i].push_back(row.figures[i].times_hdbench->value);
  }
  for (const std::vector<double>& of : ratios) {
    table.means.push_back(of.empty() ? std::nullopt : std::optional(geometric_mean(of)));
  }
}

}  // namespace

std::string mean_name(const PeerTable& table) {
  if (table.mean_queries == table.rows.size()) return "mean";
  return fmt::format("mean of {}", table.mean_queries);
}

std::vector<PeerTable> peer_tables(const ReportPivot& pivot) {
  std::vector<PeerTable> tables;
  for (const ReportCell& cell : pivot.input().peers) {
    const bool known = std::any_of(tables.begin(), tables.end(),
                                   [&](const PeerTable& table) { return is_of(cell, table); });
    if (known) continue;
    tables.push_back({cell.dataset, cell.machine, cell.result.setting.threads, {}, {}, {}});
  }
  std::stable_sort(tables.begin(), tables.end(),
                   [](const PeerTable& a, const PeerTable& b) { return a.threads > b.threads; });
  for (PeerTable& table : tables) {
    fill_table(pivot, table);
    take_means(table);
  }
  return tables;
}

}  // namespace hdbench::bench
