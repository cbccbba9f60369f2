#include "bench/report/answers/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <tuple>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/machine/other_load.h"
#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/verdict.h"

namespace hdbench {
namespace {

// Tiers whose whole interval lies within this factor of the base are the same as it.
constexpr double kSameFactor = 1.1;
// More tiers than these are in the chart only.
constexpr std::size_t kNamedTiers = 3;
// Data of fewer times the last-level cache are partly read from it.
constexpr std::uint64_t kCachesOfData = 4;
// An interval of more than this share of the median says little.
constexpr double kWideShare = 0.5;

bool is_plain_dram(const ReportColumn& column) {
  return column.setting.medium == "dram" && column.setting.place.empty() &&
         column.setting.results.empty() && !column.emulated;
}

auto form_of(const ReportColumn& column) {
  return std::tie(column.machine, column.setting.layout, column.setting.codes,
                  column.setting.prefetch);
}

auto tier_of(const ReportColumn& column) {
  const Setting& at = column.setting;
  return std::tie(column.machine, at.medium, at.cache, at.place, at.results, at.volume,
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

bool is_impossible(const ReportPivot& pivot, const ReportCell& cell) {
  const auto ceiling = pivot.ceiling(cell);
  return ceiling.ok() && ceiling->above();
}

// "cold NVMe": the label less the layout and the codes, which its base has too.
std::string name_of(const ReportColumn& column) {
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

TierCost cost_of(const ReportPivot& pivot, std::size_t column, std::size_t base) {
  TierCost cost{column, base, name_of(pivot.column(column))};
  for (const std::size_t query : pivot.queries()) {
    const ReportCell* const here = pivot.cell(pivot.primary(), column, query);
    const ReportCell* const there = pivot.cell(pivot.primary(), base, query);
    if (here == nullptr || there == nullptr) continue;
    const auto ratio = pivot.ratio(*here, *there);
    if (!ratio) continue;
    if (is_impossible(pivot, *here) || is_impossible(pivot, *there)) {
      ++cost.impossible;
    } else {
      cost.queries.emplace_back(query, *ratio);
    }
  }
  std::vector<Ratio> ratios;
  for (const auto& [query, ratio] : cost.queries) ratios.push_back(ratio);
  cost.times = mean_ratio(ratios);
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
  std::stable_sort(costs.begin(), costs.end(), [](const TierCost& a, const TierCost& b) {
    return (a.times ? a.times->value : 0) > (b.times ? b.times->value : 0);
  });
  return costs;
}

// "64.8".
std::string times_figure(double ratio) {
  std::string text = format_ratio(ratio);
  text.pop_back();
  return text;
}

// "52.1 to 80.6"; "0.60 to 1.30: cannot tell"; "no interval".
std::string interval_words(const TierCost& cost) {
  if (!cost.times->interval) return "no interval";
  const Interval& of = *cost.times->interval;
  const std::string text = fmt::format("{} to {}", times_figure(of.low), times_figure(of.high));
  if (of.low >= 1 / kSameFactor && of.high <= kSameFactor) return text + ": the same within 10 %";
  return of.holds(1) ? text + ": cannot tell" : text;
}

// "N times as long on cold NVMe as in DRAM (LOW to HIGH) and N times on CXL (LOW to HIGH)".
std::string tiers_text(const std::vector<TierCost>& costs, const std::string& base) {
  std::vector<std::string> parts;
  for (const TierCost& cost : costs) {
    if (parts.size() == kNamedTiers) {
      parts.push_back(fmt::format("{} more in the chart", costs.size() - kNamedTiers));
      break;
    }
    parts.push_back(fmt::format("{} times {}on {} {}({})", times_figure(cost.times->value),
                                parts.empty() ? "as long " : "", cost.name,
                                parts.empty() ? "as " + base + " " : "", interval_words(cost)));
  }
  return listed(parts);
}

// "Geometric means of 11 queries; 3 cells are left out, as they are above their ceiling."
std::string basis_text(const Headline& head) {
  std::size_t queries = 0;
  std::size_t impossible = 0;
  for (const auto* const costs : {&head.real, &head.emulated}) {
    for (const TierCost& cost : *costs) {
      queries = std::max(queries, cost.queries.size());
      impossible += cost.impossible;
    }
  }
  std::string text = queries > 1 ? "Geometric means of " + queries_text(queries) : "Of one query";
  if (queries == 0) text = "Of no query";
  if (impossible > 0) {
    text += fmt::format(
        "; {} left out, above {} ceiling",
        impossible == 1 ? "1 pair of cells is" : fmt::format("{} pairs of cells are", impossible),
        impossible == 1 ? "its" : "their");
  }
  return text + ".";
}

// About those that have a figure.
std::string sentence_of(const std::vector<TierCost>& all, const std::string& base) {
  std::vector<TierCost> costs = all;
  std::erase_if(costs, [](const TierCost& cost) { return !cost.times; });
  if (costs.empty()) return {};
  return fmt::format("ueries take {}.", tiers_text(costs, base));
}

// Its first clauses: the text of a note may go on to how to mend it.
std::string first_clauses(const std::string& text) {
  constexpr std::size_t kLongest = 170;
  if (text.size() <= kLongest) return text;
  std::size_t end = 0;
  for (const char* const mark : {": ", "; ", ". ", " ("}) {
    const std::size_t at = text.rfind(mark, kLongest);
    if (at != text.npos) end = std::max(end, at);
  }
  return end == 0 ? text : text.substr(0, end);
}

void add_sentence(std::vector<std::string>& caveats, std::string text) {
  if (text.empty()) return;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (text.back() != '.') text += '.';
  add_once(caveats, text);
}

void add_notes(const ReportPivot& pivot, bool is_load, std::vector<std::string>& caveats) {
  for (const SavedRun& run : pivot.input().runs) {
    const auto& notes = run.context.preflight;
    const bool is_known_later = std::any_of(notes.begin(), notes.end(), [](const auto& note) {
      return note.name == OtherLoad::kNoteName;
    });
    for (const PreflightNote& note : notes) {
      const bool is_first_look = note.name == "load";
      const bool is_about_load = is_first_look || note.name == OtherLoad::kNoteName;
      if (is_about_load != is_load || (is_first_look && is_known_later)) continue;
      add_sentence(caveats, first_clauses(note.text));
    }
  }
}

void add_widths(const ReportPivot& pivot, const TrustFigures& figures,
                std::vector<std::string>& caveats) {
  if (figures.widest == nullptr) {
    add_sentence(caveats, "no cell was repeated, so there is no interval (--reps 5)");
    return;
  }
  std::size_t wide = 0;
  std::size_t known = 0;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto width = pivot.half_width(cell);
    known += width ? 1 : 0;
    wide += width && *width > kWideShare ? 1 : 0;
  }
  if (wide == 0) return;
  add_sentence(caveats, fmt::format("{} of {} intervals are wider than +-{:.0f} % (the widest: {})",
                                    wide, known, 100 * kWideShare, plus_minus_text(figures.width)));
}

// Queries whose bytes fit in a few times the last-level cache.
void add_cached(const ReportPivot& pivot, std::vector<std::string>& caveats) {
  std::uint64_t cache = 0;
  for (const SavedRun& run : pivot.input().runs) {
    for (const CpuCache& one : run.context.host.caches) cache = std::max(cache, one.bytes);
  }
  std::size_t small = 0;
  std::size_t known = 0;
  for (const std::size_t query : pivot.queries()) {
    for (const std::size_t column : pivot.columns_of(pivot.primary())) {
      const ReportCell* const cell = pivot.cell(pivot.primary(), column, query);
      if (cell == nullptr || !median_ms(cell->result)) continue;
      const std::uint64_t bytes = cell->result.bytes_read + cell->result.bytes_written;
      ++known;
      small += bytes < kCachesOfData * cache ? 1 : 0;
      break;
    }
  }
  if (small == 0) return;
  add_sentence(caveats, fmt::format("{} of {} move less than {} times the last-level cache ({}): "
                                    "their warm figures are partly the cache's",
                                    small, queries_text(known), kCachesOfData, bytes_text(cache)));
}

void add_emulated(const ReportPivot& pivot, std::vector<std::string>& caveats) {
  std::vector<std::string> media;
  for (const ReportColumn& column : pivot.columns()) {
    if (!column.emulated) continue;
    const std::string& place = column.setting.place;
    const std::string& medium = column.setting.medium;
    // Their profiles stand in the sentence and the table.
    add_once(media, place.empty() ? medium_title(medium.substr(0, medium.find(':'))) : place);
  }
  if (media.empty()) return;
  add_sentence(caveats, fmt::format("{} {} emulated from a device's profile, not measured",
                                    listed(media), media.size() == 1 ? "is" : "are"));
}

}  // namespace

Headline headline(const ReportPivot& pivot) {
  Headline head;
  const auto bases = base_columns(pivot);
  if (bases.empty()) return head;
  const ReportColumn& first = pivot.column(bases.front());
  head.base = name_of(first);
  for (TierCost& cost : all_costs(pivot, bases)) {
    const bool is_emulated = pivot.column(cost.column).emulated || first.emulated;
    (is_emulated ? head.emulated : head.real).push_back(std::move(cost));
  }
  const std::string base = (is_plain_dram(first) ? "in " : "on ") + head.base;
  if (const std::string text = sentence_of(head.real, base); !text.empty()) {
    head.sentence = "Q" + text;
  } else if (!head.real.empty()) {
    head.sentence = "No tier can be held against " + head.base +
                    ": every pair of cells has one above its ceiling, or without a time.";
  } else {
    head.sentence = "No real tier was run beside " + head.base + ".";
  }
  head.basis = basis_text(head);
  if (const std::string text = sentence_of(head.emulated, base); !text.empty())
    head.emulated_sentence = "Emulated, not measured: q" + text;
  return head;
}

std::string cost_text(const TierCost& cost) {
  if (!cost.times) return "cannot be said";
  return fmt::format("{} ({})", format_ratio(cost.times->value), interval_words(cost));
}

std::vector<std::string> gravest_caveats(const ReportPivot& pivot, std::size_t most) {
  std::vector<std::string> caveats;
  const TrustFigures figures = trust_figures(pivot);
  for (const std::string& conflict : pivot.input().conflicts)
    add_sentence(caveats, "results differ between files: " + conflict);
  if (!figures.above.empty()) {
    add_sentence(caveats, fmt::format("{} of {} figures are above what the machine can do, so they "
                                      "cannot be: they are marked and left out of the means",
                                      figures.above.size(), figures.known));
  }
  for (const SavedRun& run : pivot.input().runs) {
    if (!run.context.complete) add_sentence(caveats, run.file + ": it ended before its last cell");
  }
  add_widths(pivot, figures, caveats);
  add_notes(pivot, true, caveats);
  add_emulated(pivot, caveats);
  add_cached(pivot, caveats);
  if (pivot.input().machines.size() > 1)
    add_sentence(caveats, "several machines' cells: ratios are within each machine only");
  add_notes(pivot, false, caveats);
  if (caveats.size() > most) caveats.resize(most);
  return caveats;
}

}  // namespace hdbench
