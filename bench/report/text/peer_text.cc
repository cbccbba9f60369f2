#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/peer_view.h"

namespace hdbench::bench {
namespace {

std::string peer_ms(const PeerFigure& figure) {
  if (figure.cell == nullptr) return {};
  if (!figure.ms) return "-";
  const std::string ms = format_ms(*figure.ms);
  return figure.cell->result.peer->unread ? "(" + ms + ")" : ms;
}

TextRows peer_rows(const ReportPivot& pivot, const PeerTable& table) {
  TextRows rows{{"query", "hdbench"}};
  for (const std::string& engine : table.engines)
    rows.front().insert(rows.front().end(), {engine, "times"});
  for (const PeerRow& row : table.rows) {
    rows.push_back({pivot.label(row.query), row.hdbench_ms ? format_ms(*row.hdbench_ms) : "-"});
    for (std::size_t i = 0; i < row.figures.size(); ++i) {
      const auto& ratio = row.figures[i].times_hdbench;
      rows.back().push_back(peer_ms(row.figures[i]));
      rows.back().push_back(ratio ? format_ratio(ratio->value) : "");
    }
  }
  if (table.mean_queries == 0) return rows;
  rows.push_back({mean_name(table), ""});
  for (const std::optional<double>& mean : table.means)
    rows.back().insert(rows.back().end(), {"", mean ? format_ratio(*mean) : ""});
  return rows;
}

// "the same queries over one row: ENGINE LEAST to MOST ms", of all the queries.
std::string startup_line(const PeerTable& table, std::size_t width) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < table.engines.size(); ++i) {
    std::vector<double> ms;
    for (const PeerRow& row : table.rows) {
      const ReportCell* const cell = row.figures[i].cell;
      if (cell != nullptr && cell->result.peer->startup_ms)
        ms.push_back(*cell->result.peer->startup_ms);
    }
    if (ms.empty()) continue;
    const auto [least, most] = std::minmax_element(ms.begin(), ms.end());
    texts.push_back(fmt::format("{} {}", table.engines[i], interval_text({*least, *most})));
  }
  if (texts.empty()) return {};
  return folded(fmt::format("the same queries over one row: {} ms", fmt::join(texts, ", ")), width,
                "  ");
}

// As many engines beside each other as fit, the others below.
std::string peer_table(const TextRows& rows, std::size_t width) {
  constexpr std::size_t kLead = 2;  // the query, hdbench's time
  std::string text;
  for (std::size_t begin = kLead; begin < rows.front().size();) {
    TextRows shown;
    std::size_t end = begin;
    while (end < rows.front().size()) {
      TextRows wider;
      for (const auto& row : rows) {
        wider.emplace_back(row.begin(), row.begin() + kLead);
        wider.back().insert(wider.back().end(), row.begin() + static_cast<std::ptrdiff_t>(begin),
                            row.begin() + static_cast<std::ptrdiff_t>(end + 2));
      }
      const std::string first = aligned(wider, 1);
      if (!shown.empty() && first.find('\n') > width) break;
      shown = std::move(wider);
      end += 2;
    }
    text += aligned(shown, 1);
    begin = end;
  }
  return text;
}

}  // namespace

std::string peer_text(const ReportPivot& pivot, std::size_t width) {
  std::string text;
  for (const PeerTable& table : peer_tables(pivot)) {
    text +=
        "\n" + folded(fmt::format("peers, {}{}: ms, and how many times hdbench's (dram, flat, "
                                  "mode 4.0)",
                                  threads_text(table.threads), dataset_note(pivot, table.dataset)),
                      width, "  ");
    text += peer_table(peer_rows(pivot, table), width) + startup_line(table, width);
  }
  std::vector<std::string> notes;
  for (const ReportCell& cell : pivot.input().peers) {
    const PeerLabel& peer = *cell.result.peer;
    if (peer.unread) {
      add_once(notes, fmt::format("(ms): {} answers {} from {}: not in the ratios", peer.engine,
                                  pivot.label(cell.query), *peer.unread));
    }
    if (cell.result.error)
      add_once(notes, fmt::format("-: {}: {}", peer.engine, *cell.result.error));
  }
  for (const SavedRun& run : pivot.input().runs) {
    if (run.context.peer_memory)
      add_once(notes, "in memory one after another, each beside hdbench's cells");
  }
  for (const std::string& note : notes) text += folded(note, width, "  ");
  if (text.empty()) return {};
  return text + "how each holds the table, and what it ran: results.json\n";
}

}  // namespace hdbench::bench
