// What each tier costs, and which queries gain most from it and why.
#include <fmt/format.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/verdict.h"

namespace hdbench {
namespace {

struct QueryGain {
  std::size_t query = 0;
  Ratio ratio;
};

// Least first.
std::vector<QueryGain> gains_of(const ReportPivot& pivot, std::size_t column) {
  std::vector<QueryGain> gains;
  for (const std::size_t query : pivot.queries()) {
    if (const auto ratio = pivot.gain(pivot.primary(), column, query))
      gains.push_back({query, *ratio});
  }
  std::stable_sort(gains.begin(), gains.end(), [](const QueryGain& a, const QueryGain& b) {
    return a.ratio.value < b.ratio.value;
  });
  return gains;
}

double mean_of(const std::vector<QueryGain>& gains) {
  std::vector<double> ratios;
  for (const QueryGain& gain : gains) ratios.push_back(gain.ratio.value);
  return geometric_mean(ratios);
}

std::string different_text(const std::vector<QueryGain>& gains) {
  std::size_t faster = 0;
  std::size_t slower = 0;
  std::size_t unsaid = 0;
  for (const QueryGain& gain : gains) {
    if (!gain.ratio.interval) {
      ++unsaid;
    } else if (gain.ratio.is_different()) {
      ++(gain.ratio.value > 1 ? faster : slower);
    }
  }
  if (unsaid == gains.size()) return "one repetition: no interval says whether that is different";
  std::string text = fmt::format("by the intervals {} faster", faster);
  if (slower > 0) text += fmt::format(", {} slower", slower);
  const std::size_t same = gains.size() - faster - slower - unsaid;
  if (same > 0) text += fmt::format(", {} not different", same);
  return text;
}

std::string tier_sentence(const ReportPivot& pivot, std::size_t column) {
  const ReportColumn& where = pivot.column(column);
  const auto gains = gains_of(pivot, column);
  if (gains.empty()) return where.label + ": cannot be said: no query has a time on both.";
  const auto label = [&](const QueryGain& gain) { return pivot.label(gain.query); };
  std::string text = fmt::format("{}: {} as fast (geometric mean of {})", where.label,
                                 format_ratio(mean_of(gains)), queries_text(gains.size()));
  if (gains.size() > 1) {
    text += fmt::format(", from {} in {} to {} in {}", format_ratio(gains.front().ratio.value),
                        label(gains.front()), format_ratio(gains.back().ratio.value),
                        label(gains.back()));
  }
  text += "; " + different_text(gains) + ".";
  if (pivot.column(where.reference).setting.layout != where.setting.layout)
    text += " Medium and layout together: the reference has another layout.";
  return text + where.emulation_note();
}

// ", 10.7 times what is read": where the device gives half as much again, whole pages and what lies
// around them.
std::string amplification(const CellResult& result) {
  if (result.bytes_read == 0) return {};
  const double times =
      static_cast<double>(*result.device_bytes) / static_cast<double>(result.bytes_read);
  return times < 1.5 ? "" : fmt::format(", {:.1f} times what is read", times);
}

// "it reads 89 MB at 0.15 GB/s, 95 % of the device ceiling".
std::string movement(const ReportPivot& pivot, const ReportCell& cell) {
  const CellResult& result = cell.result;
  std::string text = bytes_text(result.bytes_read) + " read";
  if (result.bytes_written > 0) text += ", " + bytes_text(result.bytes_written) + " written";
  if (result.device_bytes && result.setting.cache == Cache::kCold) {
    text += fmt::format(" ({} came from the device{})", bytes_text(*result.device_bytes),
                        amplification(result));
  }
  if (const auto rate = gb_per_s(result)) text += fmt::format(" at {:.3g} GB/s", *rate);
  const auto ceiling = pivot.ceiling(cell);
  return ceiling.ok() ? text + ", " + share_text(*ceiling) : text;
}

// What p leaves of a query's bytes, where it was run without as well; empty where it saves nothing.
std::string index_text(const ReportPivot& pivot, std::size_t column, std::size_t query) {
  ReportBlock block = pivot.primary();
  if (block.attr != AttrUse::kParted || pivot.stands_in(block, column)) return {};
  const ReportCell* with = pivot.cell(block, column, query);
  block.attr = AttrUse::kNone;
  const ReportCell* without = pivot.cell(block, column, query);
  if (with == nullptr || without == nullptr || without->result.bytes_read == 0) return {};
  const double left = static_cast<double>(with->result.bytes_read) /
                      static_cast<double>(without->result.bytes_read);
  if (left > 0.95) return {};
  return fmt::format(" p leaves {:.0f} % of the bytes to read on that layout ({} without p).",
                     100 * left, bytes_text(without->result.bytes_read));
}

// Of a column's queries, by their gain. Where the reference is faster, a gain is a loss.
enum class Extreme { kMost, kLeast };

std::string why(const ReportPivot& pivot, std::size_t column, const QueryGain& gain, Extreme most) {
  const ReportColumn& where = pivot.column(column);
  const ReportCell* first = pivot.cell(pivot.primary(), where.reference, gain.query);
  const ReportCell* here = pivot.cell(pivot.primary(), column, gain.query);
  const bool gains = gain.ratio.value >= 1;
  const bool is_most = (most == Extreme::kMost) == gains;
  return fmt::format("{} {} {} on {}: {}. On {}: {}; here: {}.{}{}", pivot.label(gain.query),
                     gains ? "gains" : "loses", is_most ? "most" : "least", where.label,
                     ratio_with_interval(gain.ratio), pivot.column(where.reference).label,
                     movement(pivot, *first), movement(pivot, *here),
                     index_text(pivot, column, gain.query), where.emulation_note());
}

std::vector<std::size_t> other_columns(const ReportPivot& pivot) {
  auto columns = pivot.columns_of(pivot.primary());
  std::erase_if(columns, [&](std::size_t one) { return pivot.column(one).reference == one; });
  return columns;
}

// The real memory with the greatest mean; where no memory was run, the disk's column.
std::optional<std::size_t> best_column(const ReportPivot& pivot) {
  std::optional<std::size_t> best;
  double most = 0;
  const auto columns = other_columns(pivot);
  const auto is_memory = [&](std::size_t column) {
    return !pivot.column(column).is_disk() && !pivot.column(column).emulated;
  };
  const bool any_memory = std::any_of(columns.begin(), columns.end(), is_memory);
  for (const std::size_t column : columns) {
    if (pivot.column(column).emulated || (any_memory && !is_memory(column))) continue;
    const auto gains = gains_of(pivot, column);
    if (gains.empty() || mean_of(gains) <= most) continue;
    most = mean_of(gains);
    best = column;
  }
  return best;
}

}  // namespace

Answer tier_answer(const ReportPivot& pivot) {
  const std::string reference = pivot.columns().front().label;
  Answer answer{"What does each tier cost me?", {}, {}};
  const auto columns = other_columns(pivot);
  const auto best = best_column(pivot);
  if (columns.empty()) return answer.with("Cannot be said: only " + reference + " was run.");
  if (best) {
    answer.summary =
        fmt::format("The fastest real one here is {}: {} as fast as {}, by the geometric mean.",
                    pivot.column(*best).label, format_ratio(mean_of(gains_of(pivot, *best))),
                    pivot.column(pivot.column(*best).reference).label);
  } else {
    answer.summary = "No real medium but the reference was run: see the emulated ones below.";
  }
  answer.sentences.push_back(
      fmt::format("Held against {} ({}).", reference, block_text(pivot, pivot.primary())));
  for (const std::size_t column : columns) answer.sentences.push_back(tier_sentence(pivot, column));
  return answer;
}

Answer gain_answer(const ReportPivot& pivot) {
  Answer answer{"Which queries gain most from which tier, and why?", {}, {}};
  const auto best = best_column(pivot);
  for (const std::size_t column : other_columns(pivot)) {
    const auto gains = gains_of(pivot, column);
    if (gains.empty()) continue;
    answer.sentences.push_back(why(pivot, column, gains.back(), Extreme::kMost));
    if (gains.size() > 1)
      answer.sentences.push_back(why(pivot, column, gains.front(), Extreme::kLeast));
  }
  if (answer.sentences.empty())
    return answer.with("Cannot be said: no query has a time on two media.");
  if (!best)
    return answer.with("No real medium but the reference was run: what follows is emulated.");
  const auto gains = gains_of(pivot, *best);
  const bool all_lose = gains.back().ratio.value < 1;
  const bool any_loses = gains.front().ratio.value < 1;
  const char* const least = all_lose ? "most" : any_loses ? "loses most" : "least";
  return answer.with(
      fmt::format("{} {} ({}) and {} {} ({}) on {}; the bytes that each moves say why.",
                  pivot.label(gains.back().query), all_lose ? "loses least" : "gains most",
                  format_ratio(gains.back().ratio.value), pivot.label(gains.front().query), least,
                  format_ratio(gains.front().ratio.value), pivot.column(*best).label));
}

}  // namespace hdbench
