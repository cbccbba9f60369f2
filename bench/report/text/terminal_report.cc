#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/report/answers/answers.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/paper_charts.h"
#include "bench/report/views/verdict.h"

namespace hdbench {
namespace {

constexpr std::size_t kWidthMin = 60;
// "    123,456.7 ms  1234x same !".
constexpr std::size_t kFiguresWidth = 29;

// As long as the share of the greatest, in eighths of a column.
std::string bar(double share, std::size_t width) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(
      std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width) * 8));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  return text.empty() ? "▏" : text;
}

std::string figures(const VerdictCell& cell) {
  if (!cell.ms) return fmt::format("{:>14}", "0N");
  std::string text = fmt::format("{:>11} ms", format_ms(*cell.ms));
  if (cell.gain) {
    text += fmt::format(" {:>7}", format_ratio(cell.gain->value));
    if (cell.gain->interval && !cell.gain->is_different()) text += " same";
  }
  if (cell.is_above_ceiling) text += " !";
  return text;
}

std::string row_text(const ReportPivot& pivot, const VerdictTable& table, const VerdictRow& row,
                     std::size_t width) {
  std::size_t label_width = 0;
  double most = 0;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const ReportColumn& column = pivot.columns()[table.columns[i]];
    label_width = std::max(label_width, column.label.size() + (column.emulated ? 1 : 0));
    most = std::max(most, row.cells[i].ms.value_or(0));
  }
  // Bars get shorter first: labels that are cut may be the same.
  label_width = std::min(label_width, width - std::min(width, kFiguresWidth + 12));
  const std::size_t used = 2 + label_width + kFiguresWidth + 1;
  const std::size_t bar_width = width > used + 8 ? width - used : 8;
  std::string text = fmt::format("{}  {} rows\n", pivot.input().queries[row.query].label, row.rows);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const VerdictCell& cell = row.cells[i];
    if (cell.cell == nullptr) continue;
    const ReportColumn& column = pivot.columns()[table.columns[i]];
    const std::string star = column.emulated ? "*" : "";
    const std::string label = column.label.substr(0, label_width - star.size()) + star;
    text += fmt::format("  {:<{}}{:<{}} {}\n", label, label_width, figures(cell), kFiguresWidth,
                        cell.ms && most > 0 ? bar(*cell.ms / most, bar_width) : "");
  }
  return text;
}

std::string legend(const ReportPivot& pivot, const VerdictTable& table, std::size_t width) {
  const ReportColumn& reference = pivot.columns()[pivot.columns()[table.columns.front()].reference];
  std::string text = folded("x: how many times as fast as " + reference.label +
                                "; same: the interval holds 1; !: above the ceiling.",
                            width, "");
  for (const std::size_t column : table.columns) {
    const ReportColumn& where = pivot.columns()[column];
    if (where.emulated) text += folded("* " + where.label + ": " + where.emulation, width, "  ");
  }
  for (const std::string& reason : table.reasons) text += folded("0N: " + reason, width, "  ");
  return text;
}

}  // namespace

std::string terminal_report(const ReportPivot& pivot, std::size_t width) {
  width = std::max(width, kWidthMin);
  std::string text;
  for (const std::string& machine : pivot.input().machines) text += folded(machine, width, "  ");
  for (const ReportDataset& dataset : pivot.input().datasets) {
    text += folded(fmt::format("{}: {} rows, {} partitions", dataset.name,
                               with_commas(dataset.rows()), dataset.partitions),
                   width, "  ");
  }
  const VerdictTable table = verdict_table(pivot, pivot.primary());
  text += "\n" + folded(block_text(pivot, pivot.primary()), width, "");
  for (const VerdictRow& row : table.rows) text += row_text(pivot, table, row, width);
  text += legend(pivot, table, width);
  for (const Answer& answer : answers(pivot)) {
    text +=
        "\n" + folded(answer.question, width, "") + "  " + folded(answer.summary, width - 2, "  ");
    for (const std::string& sentence : answer.sentences) {
      text += "  - " + folded(sentence, width - 4, "    ");
    }
  }
  text += "\n";
  for (std::size_t run = 0; run < pivot.input().runs.size(); ++run) {
    const std::string& command = pivot.input().runs[run].context.command;
    text += folded("again: " + (command.empty() ? command_of(pivot, run) : command), width, "  ");
  }
  return text;
}

}  // namespace hdbench
