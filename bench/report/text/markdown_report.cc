#include <fmt/format.h>

#include "bench/base/number_text.h"
#include "bench/report/answers/answers.h"
#include "bench/report/answers/headline.h"
#include "bench/report/answers/quality.h"
#include "bench/report/published/published.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/paper_charts.h"
#include "bench/report/views/thread_view.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

// What Markdown or HTML would take for markup, escaped.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_special = std::string_view("\\`*_|[]<>#").find(c) != std::string_view::npos;
    if (is_special) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string cell_text(const VerdictCell& cell, TableMarks& marks) {
  if (cell.cell == nullptr) return "";
  if (!cell.ms) return "0N";
  std::string text = format_ms(*cell.ms);
  if (cell.interval) text += " [" + interval_text(*cell.interval) + "]";
  if (cell.gain) text += ", " + format_ratio(cell.gain->value);
  const char mark = marks.of(cell);
  if (mark == kAboveMark) return text + " **above the ceiling**";
  return mark == ' ' ? text : fmt::format("{} {}", text, mark);
}

std::string table_text(const ReportPivot& pivot, const VerdictTable& table, TableMarks& marks) {
  std::string text = "\n### " + escaped(block_text(pivot, table.block)) + "\n\n| query | rows |";
  std::string rule = "|:--|--:|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ReportColumn& column = pivot.column(table.columns[i]);
    text += " " + escaped(column.label);
    if (pivot.stands_in(table.block, table.columns[i])) text += " (no p)";
    if (column.emulated) text += " (" + escaped(column.emulation) + ")";
    text += " |";
    rule += "--:|";
  }
  text += "\n" + rule + "\n";
  for (const VerdictRow& row : table.rows) {
    text += fmt::format("| {} | {} |", escaped(pivot.label(row.query)), row.rows);
    for (const VerdictCell& cell : row.cells) text += " " + cell_text(cell, marks) + " |";
    text += "\n";
  }
  for (const std::string& reason : table.reasons) text += "\n0N: " + escaped(reason) + "\n";
  return text;
}

std::string threads_text_of(const ReportPivot& pivot, const ThreadGroup& group) {
  std::string text = fmt::format("\n### {}\n\n| query |", escaped(group.label));
  std::string rule = "|:--|";
  for (std::size_t i = 1; i < group.threads.size(); ++i) {
    text += fmt::format(" {} |", threads_text(group.threads[i]));
    rule += "--:|";
  }
  text += fmt::format(" law | what binds at {} | enough |\n{}:--|:--|--:|\n",
                      threads_text(group.threads.back()), rule);
  for (const ThreadLine& line : group.lines) {
    text += fmt::format("| {} |", escaped(pivot.label(line.query)));
    for (std::size_t i = 1; i < line.points.size(); ++i)
      text += fmt::format(" {} |", speedup_text(line.points[i]));
    text += fmt::format(" {} | {} | {} |\n", escaped(law_text(line)), escaped(line.binding_text),
                        line.enough ? std::to_string(*line.enough) : "not reached");
  }
  return text;
}

std::string threads_part(const ReportPivot& pivot) {
  std::string text;
  for (const ThreadGroup& group : thread_groups(pivot)) text += threads_text_of(pivot, group);
  if (text.empty()) return {};
  return "\n## Threads\n\nSpeed-up over the fewest threads, and efficiency; the law that is fitted "
         "to "
         "the times; enough: every greater count's gain is 5 % at most, by its whole interval.\n" +
         text;
}

// As a quotation, which stands out.
std::string doubts_text(const ReportPivot& pivot) {
  const auto found = doubts(pivot);
  if (found.empty()) return {};
  std::string text = fmt::format("> **{}**\n", kDoubtsTitle);
  for (const Doubt& doubt : found)
    text += ">\n> " + escaped(doubt.what) + " " + escaped(doubt.remedy) + "\n";
  return text + "\n";
}

}  // namespace

std::string markdown_report(const ReportPivot& pivot) {
  std::string text = "# What each memory tier is worth\n\n" + doubts_text(pivot);
  for (const std::string& machine : pivot.input().machines) text += escaped(machine) + "\n\n";
  for (const ReportDataset& dataset : pivot.input().datasets) {
    text += fmt::format("{}: {} rows, {} partitions\n\n", escaped(dataset.name),
                        with_commas(dataset.rows()), dataset.partitions);
  }
  const Headline head = headline(pivot);
  for (const std::string& sentence :
       {head.sentence, head.emulated_sentence, head.is_partial ? head.basis : ""}) {
    if (!sentence.empty()) text += escaped(sentence) + "\n\n";
  }
  text += "## Answers\n";
  for (const Answer& answer : answers(pivot, has_study_queries(pivot))) {
    text += fmt::format("\n**{}** {}\n\n", escaped(answer.question), escaped(answer.summary));
    for (const std::string& sentence : answer.sentences) text += "- " + escaped(sentence) + "\n";
  }
  TableMarks marks;
  std::string tables;
  for (const ReportBlock& block : pivot.blocks())
    tables += table_text(pivot, verdict_table(pivot, block), marks);
  const std::string legend = marks.legend();
  text += fmt::format(
      "\n## Verdict\n\nMedian in ms, its 95 % interval, how many times as fast as the reference "
      "({}){}{}.\n",
      escaped(pivot.columns().front().label), legend.empty() ? "" : "; ", escaped(legend));
  text += tables + threads_part(pivot) + "\n## Queries\n\n";
  for (const std::size_t query : pivot.queries())
    text += fmt::format("- {}: {}\n", escaped(pivot.label(query)),
                        escaped(pivot.input().queries[query].text));
  text += "\n## How to reproduce\n\n```\n";
  for (std::size_t run = 0; run < pivot.input().runs.size(); ++run)
    text += command_of(pivot, run) + "\n";
  return text + "```\n";
}

}  // namespace hdbench::bench
