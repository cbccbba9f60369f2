// What each tier costs, which columns the queries read and how much memory those take, and which
// queries gain most from which tier and why.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/base/number_text.h"
#include "bench/model/column_places.h"
#include "bench/report/answers/answers.h"
#include "bench/report/answers/headline.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

std::uint64_t needed_of(const std::vector<ColumnNeed>& columns) {
  std::uint64_t bytes = 0;
  for (const ColumnNeed& one : columns) bytes += one.needed_bytes;
  return bytes;
}

// The bytes of a place; `all` is what no other place names.
std::uint64_t needed_by(const std::vector<ColumnNeed>& columns,
                        const std::vector<ColumnPlace>& places, const ColumnPlace& place) {
  const auto names = [](const ColumnPlace& one, const std::string& column) {
    return std::find(one.columns.begin(), one.columns.end(), column) != one.columns.end();
  };
  std::uint64_t bytes = 0;
  for (const ColumnNeed& need : columns) {
    const bool is_named = std::any_of(places.begin(), places.end(), [&](const ColumnPlace& one) {
      return names(one, need.column);
    });
    const bool is_here = is_named ? names(place, need.column) : names(place, kAllColumns);
    bytes += is_here ? need.needed_bytes : 0;
  }
  return bytes;
}

// The queries that read each column, of all cells over the dataset.
std::map<std::string, std::set<std::size_t>> readers_of(const ReportPivot& pivot,
                                                        std::size_t dataset) {
  std::map<std::string, std::set<std::size_t>> readers;
  for (const ReportCell& cell : pivot.input().cells) {
    if (cell.dataset != dataset) continue;
    for (const auto& [column, bytes] : cell.result.bytes_read_by_column) {
      if (bytes > 0) readers[column].insert(cell.query);
    }
  }
  return readers;
}

std::string column_sentence(const ColumnNeed& need, std::size_t readers, std::size_t queries,
                            std::uint64_t all) {
  std::string text = fmt::format(
      "{}: {}, {:.0f} % of what is needed", need.column, bytes_text(need.needed_bytes),
      all == 0 ? 0 : 100 * static_cast<double>(need.needed_bytes) / static_cast<double>(all));
  if (need.needed_bytes < need.bytes)
    text += fmt::format(" (of {} in all partitions)", bytes_text(need.bytes));
  return text + fmt::format("; {} of {} read it.", readers, queries_text(queries));
}

using QueryGain = std::pair<std::size_t, Ratio>;

// Least first, of the pairs that may be in a mean.
std::vector<QueryGain> gains_of(const ReportPivot& pivot, std::size_t column) {
  std::vector<QueryGain> gains = gains_over_reference(pivot, column).queries;
  std::ranges::stable_sort(gains, {}, [](const QueryGain& gain) { return gain.second.value; });
  return gains;
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
  if (!gain.second.is_different()) return "shows no difference";
  const bool gains = gain.second.value >= 1;
  return fmt::format("{} {}", gains ? "gains" : "loses",
                     (most == Extreme::kMost) == gains ? "most" : "least");
}

std::string why(const ReportPivot& pivot, std::size_t column, const QueryGain& gain, Extreme most) {
  const ReportColumn& where = pivot.column(column);
  const ReportCell* first = pivot.cell(pivot.primary(), where.reference, gain.first);
  const ReportCell* here = pivot.cell(pivot.primary(), column, gain.first);
  return fmt::format("{} {} on {}: {}. On {}: {}; here: {}.{}{}", pivot.label(gain.first),
                     extreme_text(gain, most), where.label, ratio_with_interval(gain.second),
                     pivot.column(where.reference).label, movement(pivot, *first),
                     movement(pivot, *here), index_text(pivot, column, gain.first),
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
    const auto mean = gains_over_reference(pivot, column).ratio();
    if (!mean || mean->value <= most) continue;
    most = mean->value;
    best = column;
  }
  return best;
}

}  // namespace

std::string holdings_text(const ReportPivot& pivot, std::size_t column) {
  const Setting& setting = pivot.column(column).setting;
  const auto& columns = pivot.input().datasets[pivot.primary().dataset].columns;
  std::uint64_t rest = needed_of(columns);
  if (rest == 0) return {};
  std::vector<std::string> parts;
  const std::vector<ColumnPlace> places = places_of_text(setting.place);
  for (const ColumnPlace& place : places) {
    const std::uint64_t bytes = needed_by(columns, places, place);
    rest -= bytes;
    parts.push_back(fmt::format("{} in {} ({})", bytes_text(bytes), medium_title(place.medium),
                                fmt::join(place.columns, ", ")));
  }
  if (rest > 0)
    parts.insert(parts.begin(),
                 fmt::format("{} in {}", bytes_text(rest), medium_title(setting.medium)));
  return listed(parts);
}

Answer column_answer(const ReportPivot& pivot) {
  Answer answer{"Which columns do the queries read, and how much memory do they take?", {}, {}};
  const std::size_t at = pivot.primary().dataset;
  std::vector<ColumnNeed> columns = pivot.input().datasets[at].columns;
  const std::uint64_t needed = needed_of(columns);
  if (needed == 0)
    return answer.with("Cannot be said: these results do not have the columns' sizes.");
  std::stable_sort(columns.begin(), columns.end(), [](const ColumnNeed& a, const ColumnNeed& b) {
    return a.needed_bytes > b.needed_bytes;
  });
  const auto readers = readers_of(pivot, at);
  std::uint64_t all = 0;
  std::uint64_t unread = 0;
  std::size_t read = 0;
  std::vector<std::string> unread_names;
  for (const ColumnNeed& one : columns) {
    all += one.bytes;
    if (one.needed_bytes == 0) {
      unread += one.bytes;
      unread_names.push_back(one.column);
      continue;
    }
    ++read;
    const auto found = readers.find(one.column);
    answer.sentences.push_back(column_sentence(
        one, found == readers.end() ? 0 : found->second.size(), pivot.queries().size(), needed));
  }
  if (!unread_names.empty()) {
    answer.sentences.push_back(fmt::format("Read by none, {}: {}. They may stay on the disk.",
                                           bytes_text(unread), fmt::join(unread_names, ", ")));
  }
  return answer.with(fmt::format(
      "{} of {} columns, {} of {}: so much memory holds all that these queries read. Results take "
      "workspace on top.",
      read, columns.size(), bytes_text(needed), bytes_text(all)));
}

Answer tier_answer(const ReportPivot& pivot) {
  Answer answer{"What does each tier cost me?", {}, {}};
  const Headline head = headline(pivot);
  if (head.tiers.empty()) {
    return answer.with("Cannot be said: only " +
                       pivot.column(pivot.columns_of(pivot.primary()).front()).label + " was run.");
  }
  const std::size_t base = head.tiers.front().base;
  const std::string holdings = holdings_text(pivot, base);
  answer.sentences.push_back(fmt::format(
      "Set against {} ({}){}", pivot.column(base).label, block_text(pivot, pivot.primary()),
      holdings.empty() ? "." : ", which holds " + holdings + "."));
  for (const TierCost& cost : head.tiers)
    answer.sentences.push_back(tier_sentence(pivot, cost, head.base));
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
    return fmt::format("{} {} ({})", pivot.label(gain.first), extreme_text(gain, most),
                       format_ratio(gain.second.value));
  };
  if (gains.size() == 1) {
    return answer.with(
        fmt::format("{} alone may be judged: {} on {}.", pivot.label(gains.back().first),
                    ratio_with_interval(gains.back().second), pivot.column(*best).label));
  }
  return answer.with(fmt::format("{} and {} on {}; the bytes that each moves say why.",
                                 words(gains.back(), Extreme::kMost),
                                 words(gains.front(), Extreme::kLeast), pivot.column(*best).label));
}

}  // namespace hdbench::bench
