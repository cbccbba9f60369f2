// Whether the study's desired outcomes are met here.
#include <fmt/format.h>

#include <algorithm>

#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

// The columns in memory of a machine whose reference is a disk.
std::vector<std::size_t> memory_columns(const ReportPivot& pivot) {
  auto columns = pivot.columns_of(pivot.primary());
  std::erase_if(columns, [&](std::size_t column) {
    const ReportColumn& where = pivot.column(column);
    return where.is_disk() || !pivot.column(where.reference).is_disk();
  });
  return columns;
}

struct Outcome {
  std::vector<std::size_t> met;
  std::vector<std::size_t> missed;
  std::vector<std::size_t> unsaid;  // the interval straddles, or there is none
  std::optional<double> least;      // gain
  std::size_t least_query = 0;
  std::size_t left_out = 0;  // queries whose ratio may not be used (pair_mean.h)

  void add(std::size_t query, bool is_met, bool is_missed) {
    (is_met ? met : is_missed ? missed : unsaid).push_back(query);
  }
  std::size_t total() const { return met.size() + missed.size() + unsaid.size(); }
};

// Whether a column's queries gain as much.
Outcome outcome_of(const ReportPivot& pivot, std::size_t column) {
  Outcome outcome;
  for (const std::size_t query : pivot.queries()) {
    const auto ratio = pivot.gain(pivot.primary(), column, query);
    if (!ratio) continue;
    if (left_out(pivot, *pivot.cell(pivot.primary(), pivot.column(column).reference, query),
                 *pivot.cell(pivot.primary(), column, query)) != LeftOut::kNone) {
      ++outcome.left_out;
      continue;
    }
    if (!outcome.least || ratio->value < *outcome.least) {
      outcome.least = ratio->value;
      outcome.least_query = query;
    }
    const auto& interval = ratio->interval;
    outcome.add(query, interval && interval->low >= kOutcomeGain,
                interval && interval->high < kOutcomeGain);
  }
  return outcome;
}

// "; 7 left out, cached or above a ceiling".
std::string left_out_text(const Outcome& outcome) {
  if (outcome.left_out == 0) return {};
  return fmt::format("; {} left out, cached or above a ceiling", outcome.left_out);
}

std::string outcome_sentence(const ReportPivot& pivot, std::size_t column, const Outcome& outcome) {
  const ReportColumn& where = pivot.column(column);
  if (outcome.total() == 0) {
    return fmt::format(
        "{}: cannot be said: no query has times that may be held against each "
        "other{}.",
        where.label, left_out_text(outcome));
  }
  std::string text =
      fmt::format("{}: {} of {}", where.label, outcome.met.size(), queries_text(outcome.total()));
  const double least_percent = 100 * (1 - 1 / *outcome.least);
  text += least_percent >= 0 ? fmt::format("; the least is {} with {:.0f} % less time",
                                           pivot.label(outcome.least_query), least_percent)
                             : fmt::format("; the least is {} with {:.0f} % more time",
                                           pivot.label(outcome.least_query), -least_percent);
  if (!outcome.missed.empty()) text += "; missed by " + pivot.input().labels_of(outcome.missed);
  if (!outcome.unsaid.empty())
    text += "; cannot be said of " + pivot.input().labels_of(outcome.unsaid);
  return text + left_out_text(outcome) + "." + where.emulation_note();
}

std::string summary_of(const std::vector<Outcome>& outcomes) {
  std::size_t all = 0;
  std::size_t none = 0;
  std::size_t unjudged = 0;
  for (const Outcome& outcome : outcomes) {
    unjudged += outcome.total() == 0 ? 1 : 0;
    all += outcome.total() > 0 && outcome.met.size() == outcome.total() ? 1 : 0;
    none += outcome.met.empty() ? 1 : 0;
  }
  if (unjudged == outcomes.size()) {
    return fmt::format("Cannot be said: no query has times that may be held against each other{}.",
                       left_out_text(outcomes.front()));
  }
  if (all == outcomes.size()) return "Yes: every query, on every memory that was run.";
  if (none == outcomes.size()) return "No query is known to meet it.";
  return fmt::format("Every query does on {} of the {} memories that were run; see which below.",
                     all, outcomes.size());
}

// Queries that take more than two minutes on a machine's reference, and the longest time there.
struct LongQueries {
  std::vector<std::size_t> queries;
  double longest_ms = 0;
  std::size_t longest = 0;
};

LongQueries long_queries(const ReportPivot& pivot, std::size_t reference) {
  LongQueries found;
  for (const std::size_t query : pivot.queries()) {
    const auto ms = pivot.ms(pivot.primary(), reference, query);
    if (!ms) continue;
    if (*ms > found.longest_ms) {
      found.longest_ms = *ms;
      found.longest = query;
    }
    if (*ms > kOutcomeLongMs) found.queries.push_back(query);
  }
  return found;
}

std::string within_sentence(const ReportPivot& pivot, std::size_t column,
                            const std::vector<std::size_t>& queries) {
  Outcome outcome;
  for (const std::size_t query : queries) {
    const ReportCell* cell = pivot.cell(pivot.primary(), column, query);
    const auto interval = cell != nullptr ? pivot.interval(*cell) : std::nullopt;
    outcome.add(query, interval && interval->high <= kOutcomeShortMs,
                interval && interval->low > kOutcomeShortMs);
  }
  return fmt::format(
      "{}: within 40 s: {}; longer: {}; cannot be said: {}.{}", pivot.column(column).label,
      pivot.input().labels_of(outcome.met), pivot.input().labels_of(outcome.missed),
      pivot.input().labels_of(outcome.unsaid), pivot.column(column).emulation_note());
}

}  // namespace

Answer less_time_answer(const ReportPivot& pivot) {
  Answer answer{"Outcome 1: at least 60 % less time than on NVMe?", {}, {}};
  const auto columns = memory_columns(pivot);
  if (columns.empty())
    return answer.with("Cannot be said: it needs cells on NVMe and in memory, from one machine.");
  std::vector<Outcome> outcomes;
  for (const std::size_t column : columns) {
    outcomes.push_back(outcome_of(pivot, column));
    answer.sentences.push_back(outcome_sentence(pivot, column, outcomes.back()));
  }
  answer.summary = summary_of(outcomes);
  const auto emulated = std::count_if(columns.begin(), columns.end(), [&](std::size_t column) {
    return pivot.column(column).emulated;
  });
  if (emulated > 0) {
    answer.summary += fmt::format(" {} of {} {} emulated.", emulated, columns.size(),
                                  emulated == 1 ? "is" : "are");
  }
  answer.sentences.insert(
      answer.sentences.begin(),
      fmt::format("Met where the whole interval of the gain is at or above {}x, missed where it is "
                  "below. NVMe here: {}.",
                  kOutcomeGain, pivot.column(pivot.column(columns.front()).reference).label));
  return answer;
}

Answer two_minutes_answer(const ReportPivot& pivot) {
  Answer answer{"Outcome 2: what takes over 2 minutes on NVMe within 40 s in memory?", {}, {}};
  const auto columns = memory_columns(pivot);
  if (columns.empty())
    return answer.with("Cannot be said: it needs cells on NVMe and in memory, from one machine.");
  const std::size_t reference = pivot.column(columns.front()).reference;
  const LongQueries slow = long_queries(pivot, reference);
  if (slow.longest_ms == 0) return answer.with("Cannot be said: no query has a time on NVMe.");
  if (slow.queries.empty()) {
    return answer.with(fmt::format(
        "It cannot be tried here: no query took 2 minutes on {} (the longest, {}, took "
        "{}).",
        pivot.column(reference).label, pivot.label(slow.longest), time_text(slow.longest_ms)));
  }
  answer.summary =
      fmt::format("{} took over 2 minutes on {}.", pivot.input().labels_of(slow.queries),
                  pivot.column(reference).label);
  for (const std::size_t column : columns) {
    if (pivot.column(column).reference == reference)
      answer.sentences.push_back(within_sentence(pivot, column, slow.queries));
  }
  return answer;
}

}  // namespace hdbench::bench
