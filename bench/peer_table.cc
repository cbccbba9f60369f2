#include "bench/peer_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "bench/number_text.h"
#include "bench/statistics.h"

namespace hdbench {
namespace {

constexpr std::size_t kQueryWidth = 5;
constexpr std::size_t kRowsWidth = 14;
constexpr std::size_t kColumnWidth = 12;
constexpr std::size_t kRatioWidth = 18;

using Cells = std::vector<const CellResult*>;

struct Column {
  std::string title;
  std::string detail;
  bool is_peer = false;
  Cells cells;
};

void add(std::vector<Column>& columns, Column head, const CellResult& cell) {
  auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) {
    return column.title == head.title && column.detail == head.detail;
  });
  if (found == columns.end()) found = columns.insert(found, std::move(head));
  found->cells.push_back(&cell);
}

std::vector<Column> columns_of(const std::vector<CellResult>& cells,
                               const std::vector<CellResult>& peer_cells, std::size_t threads) {
  std::vector<Column> columns;
  for (const CellResult& cell : cells) {
    const Setting& setting = cell.setting;
    if (setting.medium != "dram" || setting.layout != Layout::kFlat || setting.limit_mib != 0 ||
        setting.threads != threads) {
      continue;
    }
    const std::string detail =
        fmt::format("{}{}", setting.attr == AttrUse::kParted ? "parted " : "", word(setting.mode));
    add(columns, {"hdbench", detail, false, {}}, cell);
  }
  for (const CellResult& cell : peer_cells) {
    if (cell.setting.threads == threads) add(columns, {cell.peer->engine, "", true, {}}, cell);
  }
  return columns;
}

const CellResult* cell_of(const Column& column, int query) {
  for (const CellResult* cell : column.cells) {
    if (cell->query == query) return cell;
  }
  return nullptr;
}

std::optional<double> ms_of(const Column& column, int query) {
  const CellResult* cell = cell_of(column, query);
  return cell == nullptr || cell->error ? std::nullopt : median_ms(*cell);
}

// The fastest peer's time over hdbench's fastest.
std::optional<double> ratio_of(const std::vector<Column>& columns, int query) {
  std::optional<double> own;
  std::optional<double> peer;
  for (const Column& column : columns) {
    const std::optional<double> ms = ms_of(column, query);
    std::optional<double>& best = column.is_peer ? peer : own;
    if (ms && *ms > 0 && (!best || *ms < *best)) best = ms;
  }
  if (!own || !peer) return std::nullopt;
  return *peer / *own;
}

std::string rows_text(const std::vector<Column>& columns, int query) {
  for (const Column& column : columns) {
    const CellResult* cell = cell_of(column, query);
    if (cell != nullptr && cell->rows_out) return with_commas(*cell->rows_out);
  }
  return "0N";
}

std::string line_of(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string block_text(const std::vector<Column>& columns, std::size_t threads) {
  std::string titles = fmt::format("{:>{}}{:>{}}", "query", kQueryWidth, "rows", kRowsWidth);
  std::string details(kQueryWidth + kRowsWidth, ' ');
  std::set<int> queries;
  for (const Column& column : columns) {
    titles += fmt::format("{:>{}}", column.title, kColumnWidth);
    details += fmt::format("{:>{}}", column.detail, kColumnWidth);
    for (const CellResult* cell : column.cells) queries.insert(cell->query);
  }
  std::string text = fmt::format("\npeers, {} thread{}: ms\n", threads, threads == 1 ? "" : "s") +
                     line_of(titles + fmt::format("{:>{}}", "fastest peer", kRatioWidth)) +
                     line_of(details + fmt::format("{:>{}}", "takes", kRatioWidth));
  std::vector<double> ratios;
  std::size_t width = kQueryWidth + kRowsWidth;
  for (const int query : queries) {
    std::string line =
        fmt::format("{:>{}}{:>{}}", query, kQueryWidth, rows_text(columns, query), kRowsWidth);
    for (const Column& column : columns) {
      const std::optional<double> ms = ms_of(column, query);
      line += fmt::format("{:>{}}", ms ? format_ms(*ms) : "-", kColumnWidth);
    }
    width = line.size();
    const std::optional<double> ratio = ratio_of(columns, query);
    if (ratio) ratios.push_back(*ratio);
    text += line_of(line + fmt::format("{:>{}}", ratio ? format_ratio(*ratio) : "", kRatioWidth));
  }
  if (ratios.empty()) return text;
  return text + fmt::format("{:<{}}{:>{}}\n", "geometric mean", width,
                            format_ratio(geometric_mean(ratios)), kRatioWidth);
}

}  // namespace

std::string peer_blocks(const std::vector<CellResult>& cells,
                        const std::vector<CellResult>& peer_cells) {
  std::set<std::size_t> threads;
  std::vector<std::string> versions;
  std::set<std::string> errors;
  for (const CellResult& cell : peer_cells) {
    threads.insert(cell.setting.threads);
    const PeerLabel& peer = *cell.peer;
    const std::string line = fmt::format("{} {}", peer.engine, peer.version);
    if (!peer.version.empty() &&
        std::find(versions.begin(), versions.end(), line) == versions.end())
      versions.push_back(line);
    if (cell.error) errors.insert(fmt::format("-: {}: {}\n", peer.engine, *cell.error));
  }
  std::string text;
  for (const std::size_t count : threads) {
    text += block_text(columns_of(cells, peer_cells, count), count);
  }
  if (!versions.empty()) {
    text += fmt::format("\n{}; how each holds the table, and what it ran: results.json\n",
                        fmt::join(versions, ", "));
  }
  for (const std::string& line : errors) text += line;
  return text;
}

}  // namespace hdbench
