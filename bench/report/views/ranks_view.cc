#include "bench/report/views/ranks_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

bool has_shares(const ReportCell& cell) {
  const CellResult& result = cell.result;
  const bool is_whole = std::ranges::all_of(
      result.rank_times, [](const RankCellTimes& one) { return !one.map.empty(); });
  return !result.rank_times.empty() && is_whole && median_ms(result).has_value();
}

// The setting without its ranks.
Setting alone(Setting setting) {
  setting.ranks.clear();
  return setting;
}

// Microseconds: "0.31", "34,270".
std::string us_text(double ms) {
  const double us = ms * 1e3;
  if (us < 10) return fmt::format("{:.2g}", us);
  return with_commas(static_cast<std::uint64_t>(std::llround(us)));
}

RankTable machines_table(const RunContext& context, const std::string& of) {
  RankTable table{
      "Ranks" + of + ": partitions, memory and link in GB/s, us of 8 bytes and back, clock us",
      {{"rank", "host", "CPUs", "parts", "GB/s", "link", "8 bytes", "clock"}},
      2};
  for (std::size_t rank = 0; rank < context.ranks.size(); ++rank) {
    const RankContext& one = context.ranks[rank];
    const bool has_link = !one.link.points.empty();
    const auto& threads = one.memory.by_threads;
    table.rows.push_back(
        {std::to_string(rank), one.host.host_name, std::to_string(one.host.cpus),
         std::to_string(one.partitions),
         threads.empty() ? "-" : fmt::format("{:.1f}", threads.back().read_gb_s.high),
         has_link ? fmt::format("{:.3g}", one.link.gb_s) : "-",
         has_link ? us_text(one.link.points.front().ms) : "-",
         has_link ? fmt::format("{}{} ± {}", one.link.clock_offset_ms < 0 ? "-" : "+",
                                us_text(std::abs(one.link.clock_offset_ms)),
                                us_text(one.link.clock_error_ms))
                  : "-"});
  }
  return table;
}

RankTable network_table(const RunContext& context, const std::string& of) {
  RankTable table{"us to ask for so many bytes and to have them" + of, {{"rank"}}, 1};
  for (std::size_t rank = 1; rank < context.ranks.size(); ++rank) {
    std::vector<std::string> row{std::to_string(rank)};
    for (const LinkPoint& point : context.ranks[rank].link.points) {
      if (rank == 1) table.rows.front().push_back(with_commas(point.bytes));
      row.push_back(us_text(point.ms));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<RankTable> share_tables(const ReportInput& input) {
  std::map<std::pair<std::size_t, std::string>, RankTable> tables;
  for (const ReportCell& cell : input.cells) {
    if (!has_shares(cell)) continue;
    const Setting& setting = cell.result.setting;
    RankTable& table = tables[{cell.run, setting_name(setting)}];
    if (table.rows.empty()) {
      table.title = fmt::format("Where the time went, ms: {}, {}, {} ranks",
                                setting_text(setting, cell.result.emulated),
                                threads_text(setting.threads), setting.ranks);
      table.rows.push_back(
          {"query", "time", "reading", "slowest", "network", "merge", "efficiency", "bound by"});
    }
    const RankShares shares = rank_shares(cell.result);
    table.rows.push_back({input.queries[cell.query].label, format_ms(shares.ms),
                          format_ms(shares.map_ms), format_ms(shares.slowest_ms),
                          format_ms(shares.transfer_ms), format_ms(shares.merge_ms),
                          fmt::format("{:.2f}", shares.efficiency()), shares.bound()});
  }
  std::vector<RankTable> all;
  for (auto& [key, table] : tables) all.push_back(std::move(table));
  return all;
}

// A query's times under one setting, by how many ranks; 1: one process.
using TimesByRanks = std::map<std::size_t, double>;

std::vector<RankTable> growth_tables(const ReportInput& input) {
  std::map<std::string, std::map<std::string, TimesByRanks>> settings;
  std::map<std::string, std::string> titles;
  for (const ReportCell& cell : input.cells) {
    const auto ms = median_ms(cell.result);
    if (!ms) continue;
    const Setting& setting = cell.result.setting;
    const std::string name = setting_name(alone(setting));
    titles[name] =
        fmt::format("ms by ranks, and how many times as fast as the fewest: {}, {}",
                    setting_text(setting, cell.result.emulated), threads_text(setting.threads));
    settings[name][input.queries[cell.query].label][rank_count(setting)] = *ms;
  }
  std::vector<RankTable> tables;
  for (const auto& [setting, queries] : settings) {
    std::map<std::size_t, bool> counts;
    for (const auto& [query, times] : queries) {
      for (const auto& [ranks, ms] : times) counts[ranks] = true;
    }
    if (counts.size() < 2) continue;
    RankTable table{titles.at(setting), {{"query"}}, 1};
    for (const auto& [ranks, known] : counts)
      table.rows.front().push_back(fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s"));
    for (const auto& [query, times] : queries) {
      std::vector<std::string> row{query};
      for (const auto& [ranks, known] : counts) {
        const auto ms = times.find(ranks);
        row.push_back(ms == times.end() ? "-"
                                        : fmt::format("{} ({:.2f})", format_ms(ms->second),
                                                      times.begin()->second / ms->second));
      }
      table.rows.push_back(std::move(row));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

std::string RankShares::bound() const {
  const std::vector<std::pair<double, std::string>> parts = {
      {map_ms, "reading"},
      {transfer_ms, "network"},
      {merge_ms, "merge"},
      {slowest_ms - map_ms, fmt::format("slowest rank {}", slowest)}};
  return std::ranges::max_element(parts, {}, [](const auto& one) { return one.first; })->second;
}

RankShares rank_shares(const CellResult& cell) {
  RankShares shares;
  shares.ms = median_ms(cell).value_or(0);
  for (std::size_t rank = 0; rank < cell.rank_times.size(); ++rank) {
    const double ms = median(cell.rank_times[rank].map);
    shares.map_ms += ms / static_cast<double>(cell.rank_times.size());
    if (ms <= shares.slowest_ms) continue;
    shares.slowest_ms = ms;
    shares.slowest = rank;
  }
  const RankCellTimes& first = cell.rank_times.front();
  shares.transfer_ms = median(first.transfer);
  shares.merge_ms =
      std::max(0.0, shares.ms - median(first.map) - median(first.wait) - shares.transfer_ms);
  return shares;
}

std::vector<RankTable> rank_tables(const ReportInput& input) {
  std::vector<RankTable> tables;
  for (const SavedRun& run : input.runs) {
    if (run.context.ranks.empty()) continue;
    const std::string of = input.runs.size() > 1 ? " of " + run.file : "";
    tables.push_back(machines_table(run.context, of));
    tables.push_back(network_table(run.context, of));
  }
  if (tables.empty()) return tables;
  for (RankTable& table : share_tables(input)) tables.push_back(std::move(table));
  for (RankTable& table : growth_tables(input)) tables.push_back(std::move(table));
  return tables;
}

std::vector<std::string> rank_lines(const ReportInput& input) {
  std::vector<std::string> lines;
  for (std::size_t run = 0; run < input.runs.size(); ++run) {
    const RunContext& context = input.runs[run].context;
    if (context.ranks.empty()) continue;
    double logs = 0;
    std::size_t count = 0;
    std::map<std::string, std::vector<std::size_t>> bound;
    for (const ReportCell& cell : input.cells) {
      if (cell.run != run || !has_shares(cell)) continue;
      const RankShares shares = rank_shares(cell.result);
      logs += std::log(std::max(shares.efficiency(), 1e-6));
      ++count;
      auto& queries = bound[shares.bound()];
      if (std::ranges::find(queries, cell.query) == queries.end()) queries.push_back(cell.query);
    }
    if (count == 0) continue;
    std::string line = fmt::format(
        "{} ranks: they read {:.0f} % of a query's time in the geometric mean; all others together "
        "send rank 0 {:.3g} GB/s at most",
        context.ranks.size(), 100 * std::exp(logs / static_cast<double>(count)),
        context.network_gb_s);
    for (const auto& [what, queries] : bound)
      line += fmt::format("; bound by {}: {}", what, input.labels_of(queries));
    lines.push_back(line + ".");
  }
  return lines;
}

}  // namespace hdbench::bench
