#include "bench/report/views/pair_mean.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {

LeftOut left_out(const ReportPivot& pivot, const ReportCell& a, const ReportCell& b) {
  if (pivot.is_impossible(a) || pivot.is_impossible(b)) return LeftOut::kAboveCeiling;
  return pivot.is_cached(a) || pivot.is_cached(b) ? LeftOut::kCached : LeftOut::kNone;
}

void PairMean::add(const ReportPivot& pivot, std::size_t query, const ReportCell* a,
                   const ReportCell* b) {
  if (a == nullptr || b == nullptr) return;
  const auto ratio = pivot.ratio(*a, *b);
  if (!ratio) return;
  const LeftOut why = hdbench::bench::left_out(pivot, *a, *b);
  if (why == LeftOut::kAboveCeiling) {
    ++impossible;
  } else if (why == LeftOut::kCached) {
    ++cached;
  } else if (!ratio->interval || !(ratio->interval->low > 0)) {
    ++single;
  } else {
    queries.emplace_back(query, *ratio);
  }
}

std::optional<Ratio> PairMean::ratio() const {
  if (queries.empty()) return std::nullopt;
  std::vector<double> values;
  std::vector<double> lows;
  std::vector<double> highs;
  for (const auto& [query, ratio] : queries) {
    values.push_back(ratio.value);
    lows.push_back(ratio.interval->low);
    highs.push_back(ratio.interval->high);
  }
  return Ratio{geometric_mean(values), Interval{geometric_mean(lows), geometric_mean(highs)}};
}

std::string PairMean::left_out_text() const {
  std::vector<std::string> parts;
  if (impossible > 0) parts.push_back(fmt::format("{} above a ceiling", impossible));
  if (cached > 0) parts.push_back(fmt::format("{} cached", cached));
  if (single > 0) parts.push_back(fmt::format("{} without an interval", single));
  return fmt::format("{}", fmt::join(parts, ", "));
}

PairMean times_as_long(const ReportPivot& pivot, const PairPlace& a, const PairPlace& b) {
  PairMean mean;
  for (const std::size_t query : pivot.queries()) {
    mean.add(pivot, query, pivot.cell(a.block, a.column, query),
             pivot.cell(b.block, b.column, query));
  }
  return mean;
}

PairMean gains_over_reference(const ReportPivot& pivot, std::size_t column) {
  return times_as_long(pivot, {pivot.primary(), pivot.column(column).reference},
                       {pivot.primary(), column});
}

std::string cached_text(const ReportPivot& pivot) {
  std::uint64_t cache = 0;
  for (const SavedRun& run : pivot.input().runs)
    cache = std::max(cache, run.context.ceilings.memory.cache_bytes);
  return fmt::format("less than {} times the last-level caches ({} MiB)", kCachesOfData,
                     cache >> 20);
}

std::string faster_text(const std::string& what, const PairMean& mean, const std::string& than) {
  const auto ratio = mean.ratio();
  if (!ratio) return fmt::format("{}: cannot be judged (left out: {})", what, mean.left_out_text());
  const std::string interval = factors_text(*ratio->interval);
  if (!ratio->is_different())
    return fmt::format("{}: no difference could be shown ({})", what, interval);
  return fmt::format("{} {} as fast{} ({})", what, format_ratio(ratio->value), than, interval);
}

}  // namespace hdbench::bench
