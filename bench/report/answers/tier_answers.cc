// What each tier costs, and which queries gain most from it and why.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/answers/answers.h"
#include "bench/report/answers/headline.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

struct QueryGain {
  std::size_t query = 0;
  Ratio ratio;
};

// Least first, of the pairs that may be in a mean.
std::vector<QueryGain> gains_of(const ReportPivot& pivot, std::size_t column) {
  PairMean pairs;
  for (const std::size_t query : pivot.queries()) {
    pairs.add(pivot, query, pivot.cell(pivot.primary(), pivot.column(column).reference, query),
              pivot.cell(pivot.primary(), column, query));
  }
  std::vector<QueryGain> gains;
  for (const auto& [query, ratio] : pairs.queries) gains.push_back({query, ratio});
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

// "3 slower, 1 the same within 10 %, 2 without a difference that could be shown": of the queries.
std::string different_text(const TierCost& cost) {
  std::size_t counts[4] = {};
  for (const auto& [query, ratio] : cost.pairs.queries) {
    if (ratio.is_same())
      ++counts[2];
    else if (ratio.is_unsaid())
      ++counts[3];
    else
      ++counts[ratio.value > 1 ? 0 : 1];
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < 4; ++i) {
    constexpr const char* kWords[] = {"slower", "faster", "the same within 10 %",
                                      "without a difference that could be shown"};
    if (counts[i] > 0) parts.push_back(fmt::format("{} {}", counts[i], kWords[i]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string tier_sentence(const ReportPivot& pivot, const TierCost& cost, const std::string& base) {
  const ReportColumn& where = pivot.column(cost.column);
  const std::string holdings = holdings_text(pivot, cost.column);
  const std::string memory = holdings.empty() ? "" : " It holds " + holdings + ".";
  const std::string left = cost.pairs.left_out_text();
  if (!cost.times) {
    return fmt::format("{}: cannot be said: {}.{}", cost.name,
                       left.empty() ? "no query has a time on both" : "queries left out: " + left,
                       memory);
  }
  const auto& queries = cost.pairs.queries;
  std::string text = cost.times->is_different()
                         ? fmt::format("{}: {} the time of {}", cost.name, cost_text(cost), base)
                         : fmt::format("{}: no difference from {} could be shown ({})", cost.name,
                                       base, factors_text(*cost.times->interval));
  text += fmt::format(" (geometric mean of {})", queries_text(queries.size()));
  if (queries.size() > 1) {
    const auto [least, most] = std::minmax_element(
        queries.begin(), queries.end(),
        [](const auto& a, const auto& b) { return a.second.value < b.second.value; });
    text += fmt::format(", from {} in {} to {} in {}", format_ratio(least->second.value),
                        pivot.label(least->first), format_ratio(most->second.value),
                        pivot.label(most->first));
  }
  text += "; " + different_text(cost);
  if (!left.empty()) text += "; left out: " + left;
  return text + "." + memory + where.emulation_note();
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

// "gains most"; "shows no difference" where its interval holds 1.
std::string extreme_text(const QueryGain& gain, Extreme most) {
  if (!gain.ratio.is_different()) return "shows no difference";
  const bool gains = gain.ratio.value >= 1;
  return fmt::format("{} {}", gains ? "gains" : "loses",
                     (most == Extreme::kMost) == gains ? "most" : "least");
}

std::string why(const ReportPivot& pivot, std::size_t column, const QueryGain& gain, Extreme most) {
  const ReportColumn& where = pivot.column(column);
  const ReportCell* first = pivot.cell(pivot.primary(), where.reference, gain.query);
  const ReportCell* here = pivot.cell(pivot.primary(), column, gain.query);
  return fmt::format("{} {} on {}: {}. On {}: {}; here: {}.{}{}", pivot.label(gain.query),
                     extreme_text(gain, most), where.label, ratio_with_interval(gain.ratio),
                     pivot.column(where.reference).label, movement(pivot, *first),
                     movement(pivot, *here), index_text(pivot, column, gain.query),
                     where.emulation_note());
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
  Answer answer{"What does each tier cost me?", {}, {}};
  const Headline head = headline(pivot);
  if (head.real.empty() && head.emulated.empty()) {
    return answer.with("Cannot be said: only " +
                       pivot.column(pivot.columns_of(pivot.primary()).front()).label + " was run.");
  }
  const std::size_t base = (head.real.empty() ? head.emulated : head.real).front().base;
  const std::string holdings = holdings_text(pivot, base);
  answer.sentences.push_back(fmt::format(
      "Set against {} ({}){}", pivot.column(base).label, block_text(pivot, pivot.primary()),
      holdings.empty() ? "." : ", which holds " + holdings + "."));
  for (const auto* costs : {&head.real, &head.emulated}) {
    for (const TierCost& cost : *costs)
      answer.sentences.push_back(tier_sentence(pivot, cost, head.base));
  }
  return answer.with(head.emulated_sentence.empty() ? head.sentence
                                                    : head.sentence + " " + head.emulated_sentence);
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
    return answer.with(
        "Cannot be said: no query has times on two media that may be held against each other.");
  if (!best)
    return answer.with("No real medium but the reference was run: what follows is emulated.");
  const auto gains = gains_of(pivot, *best);
  const auto words = [&](const QueryGain& gain, Extreme most) {
    return fmt::format("{} {} ({})", pivot.label(gain.query), extreme_text(gain, most),
                       format_ratio(gain.ratio.value));
  };
  if (gains.size() == 1) {
    return answer.with(
        fmt::format("{} alone may be judged: {} on {}.", pivot.label(gains.back().query),
                    ratio_with_interval(gains.back().ratio), pivot.column(*best).label));
  }
  return answer.with(fmt::format("{} and {} on {}; the bytes that each moves say why.",
                                 words(gains.back(), Extreme::kMost),
                                 words(gains.front(), Extreme::kLeast), pivot.column(*best).label));
}

}  // namespace hdbench::bench
