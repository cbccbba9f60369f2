// What threads give, and what limit is needed.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/limit_view.h"
#include "bench/report/views/thread_view.h"

namespace hdbench {
namespace {

bool is_impossible_at(const ReportPivot& pivot, const ThreadGroup& group, std::size_t query,
                      std::size_t threads) {
  ReportBlock block = group.block;
  block.threads = threads;
  const ReportCell* const cell = pivot.cell(block, group.column, query);
  return cell != nullptr && pivot.is_impossible(*cell);
}

// "2 threads: 1.85x, 92 % each": geometric means over the queries with a time on both, neither
// above its ceiling.
std::string means_text(const ReportPivot& pivot, const ThreadGroup& group) {
  std::string text;
  for (std::size_t i = 1; i < group.threads.size(); ++i) {
    std::vector<double> speedups;
    for (const ThreadLine& line : group.lines) {
      const bool is_out = is_impossible_at(pivot, group, line.query, group.threads.front()) ||
                          is_impossible_at(pivot, group, line.query, group.threads[i]);
      if (line.points[i].speedup && !is_out) speedups.push_back(line.points[i].speedup->value);
    }
    if (speedups.empty()) continue;
    const double mean = geometric_mean(speedups);
    const double widening =
        static_cast<double>(group.threads[i]) / static_cast<double>(group.threads.front());
    text += fmt::format("{}{} give {} ({:.0f} % efficiency)", text.empty() ? "" : ", ",
                        threads_text(group.threads[i]), format_ratio(mean), 100 * mean / widening);
  }
  return text;
}

std::string thread_sentence(const ReportPivot& pivot, const ThreadGroup& group) {
  std::map<std::size_t, std::vector<std::size_t>> enough;
  std::vector<std::size_t> unsaid;
  for (const ThreadLine& line : group.lines) {
    (line.enough ? enough[*line.enough] : unsaid).push_back(line.query);
  }
  std::string text = fmt::format("{}, mode {}: {}", pivot.column(group.column).label,
                                 word(group.block.mode), means_text(pivot, group));
  for (const auto& [threads, queries] : enough) {
    text +=
        threads == group.threads.back()
            ? fmt::format("; {} still gain{} at {}, the most that were run",
                          pivot.input().labels_of(queries), queries.size() == 1 ? "s" : "", threads)
            : fmt::format("; beyond {} nothing is gained by {}", threads_text(threads),
                          pivot.input().labels_of(queries));
  }
  if (!unsaid.empty()) text += "; cannot be said of " + pivot.input().labels_of(unsaid);
  const ReportColumn& where = pivot.column(group.column);
  return text + "." + where.emulation_note();
}

// The greatest count that any query needs; nothing where it cannot be said of some.
std::optional<std::size_t> enough_for_all(const ThreadGroup& group) {
  std::size_t most = 0;
  for (const ThreadLine& line : group.lines) {
    if (!line.enough) return std::nullopt;
    most = std::max(most, *line.enough);
  }
  return most;
}

std::string thread_summary(const std::vector<ThreadGroup>& groups) {
  std::size_t most = 0;
  for (const ThreadGroup& group : groups) {
    const auto enough = enough_for_all(group);
    if (!enough) return "It differs by query, and cannot be said of all: see below.";
    most = std::max(most, *enough);
  }
  const std::size_t run = groups.front().threads.back();
  if (most == run) {
    return fmt::format(
        "Some query still gains at {}, the most that were run: more may gain more. Which ones, "
        "below.",
        threads_text(run));
  }
  return fmt::format("Beyond {} nothing is gained by any query that was run.", threads_text(most));
}

std::string need_text(const WorkspaceNeed& need) {
  return fmt::format("{}, {}, mode {}, {}", word(need.layout), attr_text(need.block.attr),
                     word(need.block.mode), threads_text(need.block.threads));
}

std::string need_sentence(const ReportPivot& pivot, const WorkspaceNeed& need) {
  const WorkspacePeak& greatest = need.greatest();
  return fmt::format("{}: hdbench's -w {} is enough for {}; {} needs it ({}).", need_text(need),
                     with_commas(whole_mib(greatest.bytes)), queries_text(need.peaks.size()),
                     pivot.label(greatest.query), bytes_text(greatest.bytes));
}

std::string outcome_sentence(const ReportPivot& pivot, const WorkspaceNeed& need,
                             const LimitOutcome& outcome) {
  const ReportInput& input = pivot.input();
  std::string text = fmt::format("Tried, -w {} ({}): {} completed", outcome.limit_mib,
                                 need_text(need), outcome.completed.size());
  if (!outcome.stopped.empty())
    text += fmt::format("; stopped (0N): {}", input.labels_of(outcome.stopped));
  if (!outcome.divided.empty())
    text += "; stopped on some media only: " + input.labels_of(outcome.divided);
  if (!outcome.spilled.empty()) text += "; through a file: " + input.labels_of(outcome.spilled);
  if (!outcome.surprising.empty()) {
    text += "; stopped though the peak without a limit is within it: " +
            input.labels_of(outcome.surprising);
  }
  return text + ".";
}

}  // namespace

Answer thread_answer(const ReportPivot& pivot) {
  Answer answer{"What do threads give me, and beyond how many is nothing gained?", {}, {}};
  std::vector<ThreadGroup> groups;
  for (ThreadGroup& group : thread_groups(pivot)) {
    ReportBlock block = pivot.primary();
    block.threads = group.block.threads;
    block.mode = group.block.mode;
    if (group.block == block) groups.push_back(std::move(group));
  }
  if (groups.empty())
    return answer.with(
        "Cannot be said: every cell was run on one thread count (-s 1..all runs all).");
  for (const ThreadGroup& group : groups) answer.sentences.push_back(thread_sentence(pivot, group));
  answer.summary = thread_summary(groups);
  answer.sentences.insert(answer.sentences.begin(),
                          "A gain counts where the interval is above 1 and it is 5 % or more.");
  return answer;
}

Answer limit_answer(const ReportPivot& pivot) {
  Answer answer{"How much workspace do the queries need?", {}, {}};
  std::uint64_t most = 0;
  std::size_t queries = 0;
  for (const WorkspaceNeed& need : workspace_needs(pivot)) {
    const ReportBlock& block = need.block;
    if (block.dataset != pivot.primary().dataset || block.attr != pivot.primary().attr) continue;
    most = std::max(most, whole_mib(need.greatest().bytes));
    queries = std::max(queries, need.peaks.size());
    answer.sentences.push_back(need_sentence(pivot, need));
    for (const LimitOutcome& outcome : limit_outcomes(pivot, need))
      answer.sentences.push_back(outcome_sentence(pivot, need, outcome));
  }
  if (answer.sentences.empty())
    return answer.with("Cannot be said: no query was run to its end without a limit.");
  return answer.with(fmt::format(
      "{} MiB of hdbench's own workspace, whose bytes are not kdb+'s, hold {} on every layout, "
      "mode "
      "and thread count that was run (the greatest peak without a limit, rounded up). `hdbench "
      "limit DB` finds hdbench's least -w by trying.",
      with_commas(most), queries == 11 ? "all eleven queries" : queries_text(queries)));
}

}  // namespace hdbench
