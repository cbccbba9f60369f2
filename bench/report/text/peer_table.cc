#include "bench/report/text/peer_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/views/pivot_text.h"

namespace hdbench {
namespace {

constexpr std::size_t kQueryWidth = 5;
constexpr std::size_t kRowsWidth = 14;
constexpr std::size_t kPeerColumnWidth = 12;
constexpr std::size_t kPeerRatioWidth = 18;
constexpr std::size_t kPeerLeadWidth = kQueryWidth + kRowsWidth;
constexpr std::size_t kPeerColumnsMax =
    (kTableWidth - kPeerLeadWidth - kPeerRatioWidth) / kPeerColumnWidth;

bool is_beside_peers(const Setting& setting) {
  return setting.medium == "dram" && setting.layout == Layout::kFlat && setting.limit_mib == 0;
}

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
    if (!is_beside_peers(setting) || setting.threads != threads) continue;
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

bool is_unread(const Column& column, int query) {
  const CellResult* cell = cell_of(column, query);
  return cell != nullptr && cell->peer && cell->peer->unread;
}

std::string ms_text(const Column& column, int query) {
  const std::optional<double> ms = ms_of(column, query);
  if (!ms) return "-";
  return is_unread(column, query) ? "(" + format_ms(*ms) + ")" : format_ms(*ms);
}

// The fastest peer's time over hdbench's fastest.
std::optional<double> ratio_of(const std::vector<Column>& columns, int query) {
  std::optional<double> own;
  std::optional<double> peer;
  for (const Column& column : columns) {
    if (is_unread(column, query)) continue;
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

// The columns of one table line; the ratio stands beside the last of them.
struct Piece {
  std::vector<const Column*> columns;
  bool is_last = false;
};

std::vector<Piece> peer_pieces(const std::vector<Column>& columns) {
  std::vector<Piece> pieces(1);
  for (const Column& column : columns) {
    if (pieces.back().columns.size() == kPeerColumnsMax) pieces.emplace_back();
    pieces.back().columns.push_back(&column);
  }
  pieces.back().is_last = true;
  return pieces;
}

std::string head_lines(const Piece& piece) {
  std::string titles = fmt::format("{:>{}}{:>{}}", "query", kQueryWidth, "rows", kRowsWidth);
  std::string details(kPeerLeadWidth, ' ');
  for (const Column* column : piece.columns) {
    titles += fmt::format("{:>{}}", column->title, kPeerColumnWidth);
    details += fmt::format("{:>{}}", column->detail, kPeerColumnWidth);
  }
  if (piece.is_last) {
    titles += fmt::format("{:>{}}", "fastest peer", kPeerRatioWidth);
    details += fmt::format("{:>{}}", "takes", kPeerRatioWidth);
  }
  return line_of(titles) + line_of(details);
}

std::string query_line(const std::vector<Column>& columns, const Piece& piece, int query) {
  std::string line =
      fmt::format("{:>{}}{:>{}}", query, kQueryWidth, rows_text(columns, query), kRowsWidth);
  for (const Column* column : piece.columns) {
    line += fmt::format("{:>{}}", ms_text(*column, query), kPeerColumnWidth);
  }
  const std::optional<double> ratio = ratio_of(columns, query);
  if (piece.is_last && ratio) line += fmt::format("{:>{}}", format_ratio(*ratio), kPeerRatioWidth);
  return line_of(line);
}

std::string mean_line(const std::vector<Column>& columns, const Piece& last,
                      const std::set<int>& queries) {
  std::vector<double> ratios;
  for (const int query : queries) {
    if (const auto ratio = ratio_of(columns, query)) ratios.push_back(*ratio);
  }
  if (ratios.empty()) return {};
  return fmt::format("{:<{}}{:>{}}\n", "geometric mean",
                     kPeerLeadWidth + last.columns.size() * kPeerColumnWidth,
                     format_ratio(geometric_mean(ratios)), kPeerRatioWidth);
}

std::string peer_block(const std::vector<Column>& columns, std::size_t threads) {
  std::set<int> queries;
  for (const Column& column : columns) {
    for (const CellResult* cell : column.cells) queries.insert(cell->query);
  }
  std::string text = fmt::format("\npeers, {}: ms\n", threads_text(threads));
  for (const Piece& piece : peer_pieces(columns)) {
    text += head_lines(piece);
    for (const int query : queries) text += query_line(columns, piece, query);
    if (piece.is_last) text += mean_line(columns, piece, queries);
  }
  return text;
}

// "over one row, from planning to result: duckdb 2.1 to 2.6, polars 0.4 to 0.6 ms"; the range is
// over the queries.
std::string floors_line(const std::vector<CellResult>& peer_cells, std::size_t threads) {
  struct Range {
    std::string engine;
    double low = 0;
    double high = 0;
  };
  std::vector<Range> ranges;
  for (const CellResult& cell : peer_cells) {
    if (!cell.peer->floor_ms || cell.setting.threads != threads) continue;
    const double ms = *cell.peer->floor_ms;
    auto found = std::find_if(ranges.begin(), ranges.end(), [&](const Range& range) {
      return range.engine == cell.peer->engine;
    });
    if (found == ranges.end()) found = ranges.insert(found, {cell.peer->engine, ms, ms});
    found->low = std::min(found->low, ms);
    found->high = std::max(found->high, ms);
  }
  if (ranges.empty()) return {};
  std::vector<std::string> texts;
  for (const Range& range : ranges) {
    texts.push_back(
        fmt::format("{} {} to {}", range.engine, format_ms(range.low), format_ms(range.high)));
  }
  return fmt::format("the same queries over one row: {} ms\n", fmt::join(texts, ", "));
}

// "(ms): duckdb answers query 1 from ...: not in the ratios", each once.
std::string unread_lines(const std::vector<CellResult>& peer_cells) {
  std::vector<std::string> lines;
  for (const CellResult& cell : peer_cells) {
    if (!cell.peer->unread) continue;
    std::string line = fmt::format("(ms): {} answers query {} from {}: not in the ratios\n",
                                   cell.peer->engine, cell.query, *cell.peer->unread);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
      lines.push_back(std::move(line));
    }
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

// Beside every worker hdbench's cells were run as often as that one's.
std::string repetitions_line(const std::vector<CellResult>& cells) {
  std::size_t repetitions = 0;
  for (const CellResult& cell : cells) {
    if (is_beside_peers(cell.setting)) repetitions = std::max(repetitions, cell.real_ms.size());
  }
  if (repetitions == 0) return {};
  return fmt::format(
      "in memory one after another, each beside hdbench's cells, which have {} repetitions in "
      "all\n",
      repetitions);
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
    text += peer_block(columns_of(cells, peer_cells, count), count);
    text += floors_line(peer_cells, count);
  }
  text += unread_lines(peer_cells);
  if (!versions.empty()) {
    text += fmt::format("\n{}\nhow each holds the table, and what it ran: results.json\n",
                        fmt::join(versions, ", "));
  }
  if (!peer_cells.empty()) text += repetitions_line(cells);
  for (const std::string& line : errors) text += line;
  return text;
}

}  // namespace hdbench
