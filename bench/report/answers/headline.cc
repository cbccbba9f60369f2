#include "bench/report/answers/headline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>

#include "bench/base/number_text.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

// More tiers than these are in the chart only.
constexpr std::size_t kNamedTiers = 3;
// Memory that was this much faster beside one tier than beside another is mentioned.
constexpr double kDriftTold = 1.1;

bool is_plain_dram(const ReportColumn& column) {
  return column.setting.medium == "dram" && column.setting.place.empty() &&
         column.setting.results.empty() && column.setting.spill.empty() && !column.emulated;
}

auto form_of(const ReportColumn& column) {
  return std::tie(column.machine, column.setting.layout, column.setting.codes,
                  column.setting.prefetch);
}

auto tier_of(const ReportColumn& column) {
  const Setting& at = column.setting;
  return std::tie(column.machine, at.medium, at.cache, at.place, at.results, at.spill, at.volume,
                  column.emulation);
}

// Each column that others are set against: DRAM in each form, or the reference where no DRAM was
// run. The form that the headline prefers is first: stored codes, no prefetching, partitioned.
std::vector<std::size_t> base_columns(const ReportPivot& pivot) {
  const auto columns = pivot.columns_of(pivot.primary());
  std::vector<std::size_t> bases;
  for (const std::size_t one : columns) {
    if (is_plain_dram(pivot.column(one))) bases.push_back(one);
  }
  if (bases.empty()) {
    for (const std::size_t one : columns) {
      if (pivot.column(one).reference == one) bases.push_back(one);
    }
  }
  std::stable_sort(bases.begin(), bases.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t at) {
      const Setting& one = pivot.column(at).setting;
      return std::tuple(pivot.column(at).machine, one.codes, one.prefetch, one.layout);
    };
    return rank(a) < rank(b);
  });
  return bases;
}

// "cold NVMe": the label less the layout and the codes, which its base has too.
std::string tier_name_of(const ReportColumn& column) {
  std::string name = column.label;
  const auto remove = [&](const std::string& words) {
    const std::size_t at = name.find(words);
    if (at != name.npos) name.erase(at, words.size());
    return at != name.npos;
  };
  remove(", " + std::string(word(column.setting.layout)));
  remove(", narrow codes");
  remove(", prefetch");
  const std::string cache(word(column.setting.cache));
  return remove(", " + cache) ? cache + " " + name : name;
}

// What memory read and copied in the rounds beside this column's cells, in GB/s; 0: not measured.
double memory_beside(const ReportPivot& pivot, std::size_t column) {
  for (const std::size_t query : pivot.queries()) {
    const ReportCell* const cell = pivot.cell(pivot.primary(), column, query);
    if (cell == nullptr) continue;
    const Setting& setting = cell->result.setting;
    const auto* const placement = pivot.input().runs[cell->run].context.ceilings.of(setting);
    if (placement == nullptr) return 0;
    const ThreadCeilings* const memory = placement->memory.of(setting.threads);
    return memory == nullptr ? 0 : std::sqrt(memory->read_gb_s.median * memory->copy_gb_s.median);
  }
  return 0;
}

TierCost cost_of(const ReportPivot& pivot, std::size_t column, std::size_t base) {
  TierCost cost{column, base, tier_name_of(pivot.column(column)),
                pivot.column(column).emulated || pivot.column(base).emulated};
  cost.pairs = times_as_long(pivot, {pivot.primary(), column}, {pivot.primary(), base});
  cost.times = cost.pairs.ratio();
  const double beside_base = memory_beside(pivot, base);
  for (const std::size_t one : pivot.columns_of(pivot.primary())) {
    const double beside = memory_beside(pivot, one);
    if (pivot.column(one).machine != pivot.column(base).machine || beside <= 0 || beside_base <= 0)
      continue;
    cost.memory.low = std::min(cost.memory.low, beside / beside_base);
    cost.memory.high = std::max(cost.memory.high, beside / beside_base);
  }
  if (cost.times && cost.times->interval) {
    cost.times->interval->low *= cost.memory.low;
    cost.times->interval->high *= cost.memory.high;
  }
  return cost;
}

std::vector<TierCost> all_costs(const ReportPivot& pivot, const std::vector<std::size_t>& bases) {
  std::vector<TierCost> costs;
  for (const std::size_t base : bases) {
    const ReportColumn& from = pivot.column(base);
    for (const std::size_t column : pivot.columns_of(pivot.primary())) {
      const ReportColumn& where = pivot.column(column);
      if (column == base || form_of(where) != form_of(from)) continue;
      const bool is_known = std::any_of(costs.begin(), costs.end(), [&](const TierCost& one) {
        return tier_of(pivot.column(one.column)) == tier_of(where);
      });
      if (!is_known) costs.push_back(cost_of(pivot, column, base));
    }
  }
  std::ranges::stable_sort(costs, {}, [](const TierCost& one) {
    return std::pair(one.is_emulated, one.times ? -one.times->value : 0);
  });
  return costs;
}

// "0.60 to 1.30"; "0.95 to 1.05: the same within 10 %".
std::string interval_words(const Ratio& times) {
  return factors_text(*times.interval) + (times.is_same() ? ": the same within 10 %" : "");
}

// Why a tier has no figure.
std::string why_none(const TierCost& cost) {
  if (cost.pairs.left_out() == 0) return "no query has a time on both";
  return "queries left out: " + cost.pairs.left_out_text();
}

using Costs = std::vector<const TierCost*>;

// Those of a list's beginning that a sentence names, and how many more there are.
template <typename Words>
std::string named(const Costs& costs, const Words& words) {
  std::vector<std::string> parts;
  for (const TierCost* const cost : costs) {
    if (parts.size() == kNamedTiers) {
      parts.push_back(fmt::format("{} more in the chart", costs.size() - kNamedTiers));
      break;
    }
    parts.push_back(words(*cost, parts.empty()));
  }
  return listed(parts);
}

// "Queries take N times as long on cold NVMe as in DRAM (LOW to HIGH) and N times on CXL (LOW to
// HIGH)." Then the tiers without a difference, and those of which nothing can be said. Requires:
// costs is not empty.
std::string sentence_of(std::span<const TierCost> costs, const std::string& base) {
  Costs different;
  Costs equal;
  Costs silent;
  for (const TierCost& cost : costs)
    (!cost.times ? silent : cost.times->is_different() ? different : equal).push_back(&cost);
  std::vector<std::string> sentences;
  if (!different.empty()) {
    const std::string than = (base.starts_with("DRAM") ? " as in " : " as on ") + base;
    const auto words = [&](const TierCost& cost, bool is_first) {
      return fmt::format("{} times {}on {}{} ({})", factor_text(cost.times->value),
                         is_first ? "as long " : "", cost.name, is_first ? than : "",
                         interval_words(*cost.times));
    };
    sentences.push_back("Queries take " + named(different, words) + ".");
  }
  if (!equal.empty()) {
    const auto words = [](const TierCost& cost, bool) {
      return fmt::format("{} ({})", cost.name, interval_words(*cost.times));
    };
    sentences.push_back(
        fmt::format("No difference from {} could be shown on {}.", base, named(equal, words)));
  }
  if (!silent.empty()) {
    const auto words = [](const TierCost& cost, bool) {
      return fmt::format("{} ({})", cost.name, why_none(cost));
    };
    sentences.push_back("Nothing can be said of " + named(silent, words) + ".");
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

// Why emulated tiers may not be slower than the base: this host's own memory is slower than their
// profiles, a line a tier. Empty where all are slower, or the host limits none.
std::string host_limits_of(const ReportPivot& pivot, std::span<const TierCost> emulated) {
  std::string text;
  for (const TierCost& cost : emulated) {
    if (!cost.times || (cost.times->is_different() && cost.times->value > 1)) continue;
    const std::string name = pivot.column(cost.column).setting.medium + ": ";
    for (const SavedRun& run : pivot.input().runs) {
      const auto& limits = run.context.host_limits;
      const auto found = std::ranges::find_if(
          limits, [&](const std::string& line) { return line.starts_with(name); });
      if (found == limits.end()) continue;
      text += fmt::format(" Host limit: {}.", *found);
      break;
    }
  }
  return text;
}

// Where no tier has a figure.
std::string why_no_tier(const ReportPivot& pivot, const Headline& head) {
  PairMean all;
  std::size_t cached = 0;
  for (const TierCost& cost : head.tiers) {
    all.impossible += cost.pairs.impossible;
    all.cached += cost.pairs.cached;
    all.single += cost.pairs.single;
    cached = std::max(cached, cost.pairs.cached);
  }
  if (all.cached > 0 && all.cached == all.left_out()) {
    return fmt::format(
        "No tier can be judged: {} {}, so that warm times are partly the caches'. A database of "
        "more rows is needed (gen --scale auto chooses).",
        cached == 1 ? "the one query moves" : fmt::format("all {} queries move", cached),
        cached_text(pivot));
  }
  if (all.single > 0 && all.single == all.left_out())
    return "No tier can be judged: cells were run once, so that no ratio has an interval (--reps "
           "5).";
  return fmt::format("No tier can be held against {}: {}.", head.base,
                     all.left_out() == 0
                         ? "no query has a time on both"
                         : "every pair of cells is left out (" + all.left_out_text() + ")");
}

// "7 of 11 queries are left out: they move less than ..."; where tiers differ, "3 to 7 of 11".
std::string cached_clause(const ReportPivot& pivot, const Headline& head) {
  std::size_t least = SIZE_MAX;
  std::size_t most = 0;
  std::size_t all = 0;
  for (const TierCost& cost : head.tiers) {
    if (cost.pairs.pairs() == 0) continue;
    least = std::min(least, cost.pairs.cached);
    most = std::max(most, cost.pairs.cached);
    all = std::max(all, cost.pairs.pairs());
  }
  if (most == 0) return {};
  return fmt::format("; {}{} of {} {} left out: {} {}",
                     least < most ? fmt::format("{} to ", least) : "", most, queries_text(all),
                     most == 1 ? "is" : "are", most == 1 ? "it moves" : "they move",
                     cached_text(pivot));
}

// "Geometric means of 4 queries; 7 of 11 queries are left out: they move less than 4 times ..."
void take_basis(const ReportPivot& pivot, Headline& head) {
  std::size_t queries = 0;
  std::size_t impossible = 0;
  std::size_t single = 0;
  double drift = 1;
  for (const TierCost& cost : head.tiers) {
    queries = std::max(queries, cost.pairs.queries.size());
    impossible += cost.pairs.impossible;
    single += cost.pairs.single;
    drift = std::max(drift, cost.memory.high / cost.memory.low);
  }
  const auto pairs = [](std::size_t count) {
    return count == 1 ? "1 pair of cells is" : fmt::format("{} pairs of cells are", count);
  };
  const std::string of = queries > 1    ? "Geometric means of " + queries_text(queries)
                         : queries == 1 ? "Of one query"
                                        : "Of no query";
  std::string left = cached_clause(pivot, head);
  if (impossible > 0)
    left += fmt::format("; {} left out, above {} ceiling", pairs(impossible),
                        impossible == 1 ? "its" : "their");
  if (single > 0) left += fmt::format("; {} left out, without an interval", pairs(single));
  head.basis = of + left + ".";
  if (drift > kDriftTold) {
    head.basis += fmt::format(
        " Intervals allow for memory itself, which was up to {:.2g} times as fast beside one tier "
        "as beside another.",
        drift);
  }
  head.is_partial = queries > 0 && !left.empty();
}

// With a small letter at its beginning.
std::string with_small_initial(std::string text) {
  text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace

Headline headline(const ReportPivot& pivot) {
  Headline head;
  const auto bases = base_columns(pivot);
  if (bases.empty()) return head;
  head.base = tier_name_of(pivot.column(bases.front()));
  head.tiers = all_costs(pivot, bases);
  take_basis(pivot, head);
  const auto has_figure = [](const TierCost& cost) { return cost.times.has_value(); };
  if (!head.tiers.empty() && std::ranges::none_of(head.tiers, has_figure)) {
    head.sentence = why_no_tier(pivot, head);
    return head;
  }
  const std::span<const TierCost> all(head.tiers);
  const auto reals =
      static_cast<std::size_t>(std::ranges::count(head.tiers, false, &TierCost::is_emulated));
  head.sentence = reals == 0 ? "No real tier was run beside " + head.base + "."
                             : sentence_of(all.first(reals), head.base);
  if (reals < all.size()) {
    head.emulated_sentence = "Emulated, not measured: " +
                             with_small_initial(sentence_of(all.subspan(reals), head.base)) +
                             host_limits_of(pivot, all.subspan(reals));
  }
  return head;
}

std::string cost_text(const TierCost& cost) {
  if (!cost.times) return "cannot be said";
  return fmt::format(
      "{} ({})",
      cost.times->is_different() ? format_ratio(cost.times->value) : "no difference could be shown",
      interval_words(*cost.times));
}

}  // namespace hdbench::bench
