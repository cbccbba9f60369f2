// What threads give, and what limit is needed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/limit_view.h"
#include "bench/report/views/thread_view.h"
#include "bench/report/views/users_view.h"

namespace hdbench::bench {
namespace {

bool is_impossible_at(const ReportPivot& pivot, const ThreadGroup& group, std::size_t query,
                      std::size_t threads) {
  ReportBlock block = group.block;
  block.threads = threads;
  const ReportCell* const cell = pivot.cell(block, group.column, query);
  return cell != nullptr && pivot.is_impossible(*cell);
}

// "2 threads give 1.85x (92 % efficiency)" at the group's count `at`: geometric means over the
// queries with a time on both, neither above its ceiling. Empty: there is none.
std::string mean_text(const ReportPivot& pivot, const ThreadGroup& group, std::size_t at) {
  std::vector<double> speedups;
  for (const ThreadLine& line : group.lines) {
    const bool is_out = is_impossible_at(pivot, group, line.query, group.threads.front()) ||
                        is_impossible_at(pivot, group, line.query, group.threads[at]);
    if (line.points[at].speedup && !is_out) speedups.push_back(line.points[at].speedup->value);
  }
  if (speedups.empty()) return {};
  const double mean = geometric_mean(speedups);
  const double widening =
      static_cast<double>(group.threads[at]) / static_cast<double>(group.threads.front());
  return fmt::format("{} give {} ({:.0f} % efficiency)", threads_text(group.threads[at]),
                     format_ratio(mean), 100 * mean / widening);
}

std::string thread_means_text(const ReportPivot& pivot, const ThreadGroup& group) {
  std::vector<std::string> texts;
  for (std::size_t at = 1; at < group.threads.size(); ++at) {
    std::string text = mean_text(pivot, group, at);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string whose(const ReportPivot& pivot, const ThreadGroup& group,
                  const std::vector<std::size_t>& queries) {
  const bool is_all = queries.size() > 1 && queries.size() == group.lines.size();
  return is_all ? "all queries" : pivot.input().labels_of(queries);
}

// "2 CPUs", "2 of 8 CPUs", "4 threads on 2 CPUs": how far the group's counts go.
std::string reach_text(const ReportPivot& pivot, const ThreadGroup& group) {
  const std::size_t most = group.threads.back();
  const std::size_t cpus = least_cpus(pivot.input());
  if (most == cpus) return fmt::format("{} CPUs", cpus);
  return most < cpus ? fmt::format("{} of {} CPUs", most, cpus) : threads_on_cpus(most, cpus);
}

std::string thread_sentence(const ReportPivot& pivot, const ThreadGroup& group) {
  std::map<std::size_t, std::vector<std::size_t>> enough;
  std::vector<std::size_t> unreached;
  for (const ThreadLine& line : group.lines) {
    (line.enough ? enough[*line.enough] : unreached).push_back(line.query);
  }
  std::string text = fmt::format("{}, mode {}: {}", pivot.column(group.column).label,
                                 word(group.block.mode), thread_means_text(pivot, group));
  for (const auto& [threads, queries] : enough) {
    text += fmt::format("; beyond {} nothing is gained by {}", threads_text(threads),
                        whose(pivot, group, queries));
  }
  if (!unreached.empty()) {
    text += fmt::format("; not reached with {} by {}", reach_text(pivot, group),
                        whose(pivot, group, unreached));
  }
  const ReportColumn& where = pivot.column(group.column);
  return text + "." + where.emulation_note();
}

std::string thread_summary(const ReportPivot& pivot, const std::vector<ThreadGroup>& groups) {
  std::size_t most = 0;
  std::size_t unreached = 0;
  std::size_t all = 0;
  for (const ThreadGroup& group : groups) {
    for (const ThreadLine& line : group.lines) {
      most = std::max(most, line.enough.value_or(0));
      unreached += line.enough ? 0 : 1;
      ++all;
    }
  }
  if (unreached == 0) {
    return fmt::format("Beyond {} nothing is gained by any query that was run.",
                       threads_text(most));
  }
  const ThreadGroup& first = groups.front();
  const std::string mean = mean_text(pivot, first, first.threads.size() - 1);
  return fmt::format(
      "{}{}The count beyond which nothing is gained is not reached with {} by {} of {} lines "
      "(queries by medium and mode).",
      mean.empty() ? "" : fmt::format("{}: ", pivot.column(first.column).label),
      mean.empty() ? "" : mean + ". ", reach_text(pivot, first), unreached, all);
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

std::string limit_outcome_sentence(const ReportPivot& pivot, const WorkspaceNeed& need,
                                   const LimitOutcome& outcome) {
  const ReportInput& input = pivot.input();
  std::string text = fmt::format("Tried, -w {} ({}): {} completed", outcome.limit_mib,
                                 need_text(need), outcome.completed.size());
  if (!outcome.stopped.empty())
    text += fmt::format("; stopped (0N): {}", input.labels_of(outcome.stopped));
  if (!outcome.divided.empty())
    text += "; stopped on some media only: " + input.labels_of(outcome.divided);
  if (!outcome.spilled.empty())
    text += "; beyond -w (spilled): " + input.labels_of(outcome.spilled);
  return text + ".";
}

}  // namespace

Answer thread_answer(const ReportPivot& pivot) {
  Answer answer{"What do threads give me, and beyond how many is nothing gained?",
                {},
                goal_lines(pivot.input())};
  std::vector<ThreadGroup> groups;
  for (ThreadGroup& group : thread_groups(pivot)) {
    ReportBlock block = pivot.primary();
    block.threads = group.block.threads;
    block.mode = group.block.mode;
    if (group.block == block) groups.push_back(std::move(group));
  }
  if (groups.empty())
    return answer.with(
        "Cannot be said: every cell was run on one thread count (-s 1..all runs powers of two and "
        "all).");
  for (const ThreadGroup& group : groups) answer.sentences.push_back(thread_sentence(pivot, group));
  answer.summary = thread_summary(pivot, groups);
  answer.sentences.insert(
      answer.sentences.begin(),
      "Nothing is gained beyond a count where the whole interval of every greater count's gain is "
      "5 % at most. Each query's law and what binds it: in the section on threads.");
  return answer;
}

Answer limit_answer(const ReportPivot& pivot) {
  Answer answer{"How much workspace do the queries need?", {}, {}};
  std::uint64_t most = 0;
  std::size_t queries = 0;
  std::uint64_t kdb_w_mib = 0;
  for (const WorkspaceNeed& need : workspace_needs(pivot)) {
    const ReportBlock& block = need.block;
    if (block.dataset != pivot.primary().dataset || block.attr != pivot.primary().attr) continue;
    most = std::max(most, whole_mib(need.greatest().bytes));
    queries = std::max(queries, need.peaks.size());
    if (const WorkspacePeak* const kdb = need.greatest_of_kdb())
      kdb_w_mib = std::max(kdb_w_mib, kdb->kdb->least_w_mib);
    answer.sentences.push_back(need_sentence(pivot, need));
    for (const LimitOutcome& outcome : limit_outcomes(pivot, need))
      answer.sentences.push_back(limit_outcome_sentence(pivot, need, outcome));
  }
  if (answer.sentences.empty())
    return answer.with("Cannot be said: no query was run to its end without a limit.");
  const std::string kdb = kdb_w_mib == 0
                              ? std::string()
                              : fmt::format(
                                    " kdb+ would need -w {} for them, by a model of its allocator "
                                    "(docs/kdb-memory.md).",
                                    kdb_w_mib);
  return answer.with(fmt::format(
      "{} MiB of hdbench's own workspace, whose bytes are not kdb+'s, hold {} on every layout, "
      "mode and thread count that was run (the greatest peak without a limit, rounded up).{} "
      "`hdbench limit DB --as kdb` finds hdbench's least -w by trying, and has kdb+'s beside it.",
      with_commas(most), queries == 11 ? "all eleven queries" : queries_text(queries), kdb));
}

}  // namespace hdbench::bench
