#include "bench/results/judgement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/base/statistics.h"

namespace hdbench::bench {
namespace {

// All times of a side's files as one sample.
struct Joined {
  std::vector<double> values;
  std::vector<std::size_t> visits;

  Samples samples() const { return {values, visits}; }
};

// Visits are kept where every file has several: then they, and not the files, are drawn.
Joined joined(const std::vector<Samples>& files) {
  Joined all;
  const bool keeps_visits =
      std::ranges::all_of(files, [](const Samples& file) { return file.visits.size() > 1; });
  for (const Samples& file : files) {
    all.values.insert(all.values.end(), file.values.begin(), file.values.end());
    if (keeps_visits) all.visits.insert(all.visits.end(), file.visits.begin(), file.visits.end());
  }
  return all;
}

// Where the second half of a file begins: between two visits if it has several.
std::size_t half_of(const Samples& file) {
  if (file.visits.size() < 2) return file.values.size() / 2;
  const auto begin = file.visits.begin();
  return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(file.visits.size() / 2),
                         std::size_t{0});
}

// The logarithms of the medians of a side's files, or of its only file's two halves. Equal programs
// differ by chance only among these.
std::vector<double> parts_of(const std::vector<Samples>& files) {
  std::vector<std::span<const double>> parts;
  for (const Samples& file : files) parts.push_back(file.values);
  if (files.size() == 1) {
    const std::size_t half = half_of(files.front());
    parts = {files.front().values.subspan(0, half), files.front().values.subspan(half)};
  }
  std::vector<double> logs;
  for (const auto& part : parts) {
    if (!part.empty() && median(part) > 0) logs.push_back(std::log(median(part)));
  }
  return logs;
}

// The variance among the parts of both sides.
struct Spread {
  double squares = 0;
  std::size_t degrees = 0;   // 0: nothing is known
  double of_difference = 0;  // the difference of the sides' means has this times the variance

  double variance() const { return degrees == 0 ? 0 : squares / static_cast<double>(degrees); }
};

// Where one side has several files, the other's only one is one part: its halves say nothing of
// what changes from file to file.
Spread spread_of(const CellTimes& cell, const std::vector<double>& a,
                 const std::vector<double>& b) {
  const bool has_files = cell.a.size() > 1 || cell.b.size() > 1;
  Spread spread;
  for (const auto& [files, logs] : {std::pair(&cell.a, &a), std::pair(&cell.b, &b)}) {
    if (logs->size() < 2 || (has_files && files->size() == 1)) {
      spread.of_difference += 1;
      continue;
    }
    const auto count = static_cast<double>(logs->size());
    const double mean = std::accumulate(logs->begin(), logs->end(), 0.0) / count;
    for (const double log : *logs) spread.squares += (log - mean) * (log - mean);
    spread.degrees += logs->size() - 1;
    spread.of_difference += 1 / count;
  }
  return spread;
}

// The variance of the middle cell. The median of a variance is less than its mean, by the median of
// chi squared over its degrees of freedom (the approximation of E. B. Wilson and M. M. Hilferty,
// 1931).
double middle_variance(const std::vector<Spread>& spreads) {
  std::vector<double> variances;
  for (const Spread& spread : spreads) {
    if (spread.degrees == 0) continue;
    const double degrees = static_cast<double>(spread.degrees);
    variances.push_back(spread.variance() / std::pow(1 - 2 / (9 * degrees), 3));
  }
  return variances.empty() ? 0 : median(variances);
}

// The normal quantile that a share of (1 - level) / 2 lies above.
double normal_quantile(double level) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > 1 - level ? low : high) = middle;
  }
  return low;
}

std::optional<double> range_of(const std::vector<double>& logs) {
  if (logs.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(logs);
  return std::expm1(most - least);
}

// The least and the greatest ratio of two times.
Interval extremes_of(const std::vector<double>& b, const std::vector<double>& a) {
  const auto of_a = std::ranges::minmax(a);
  const auto of_b = std::ranges::minmax(b);
  return {of_b.min / of_a.max, of_b.max / of_a.min};
}

void reach(Interval& interval, double low, double high) {
  interval.low = std::min(interval.low, low);
  interval.high = std::max(interval.high, high);
}

// Independent errors add up as squares, of logarithms.
Ratio divided(const Ratio& ratio, const Ratio& by) {
  Ratio result{ratio.value / by.value, std::nullopt};
  if (!ratio.interval) return result;
  const Interval of_by = by.interval.value_or(Interval{by.value, by.value});
  const auto length = [](double from, double to) { return std::log(to / from); };
  const double below =
      std::hypot(length(ratio.interval->low, ratio.value), length(by.value, of_by.high));
  const double above =
      std::hypot(length(ratio.value, ratio.interval->high), length(of_by.low, by.value));
  result.interval = {result.value * std::exp(-below), result.value * std::exp(above)};
  return result;
}

// The ratio with the machine's part in its interval, or divided by it.
Ratio with_machine(Ratio ratio, const CellTimes& cell) {
  if (!cell.machine || cell.part == MachinePart::kIgnored) return ratio;
  if (cell.part == MachinePart::kDivided) return divided(ratio, *cell.machine);
  if (ratio.interval) {
    const Interval raw = *ratio.interval;
    reach(*ratio.interval, raw.low / cell.machine->value, raw.high / cell.machine->value);
  }
  return ratio;
}

}  // namespace

std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame: return "same";
    case Verdict::kFaster: return "faster";
    case Verdict::kSlower: return "slower";
    case Verdict::kInconclusive: return "inconclusive";
    case Verdict::kNotJudged: break;
  }
  return "not judged";
}

Verdict verdict_of(const std::optional<Interval>& interval, double threshold_percent) {
  if (!interval) return Verdict::kNotJudged;
  const double threshold = 1 + threshold_percent / 100;
  if (interval->low > threshold) return Verdict::kSlower;
  if (interval->high < 1 / threshold) return Verdict::kFaster;
  if (interval->low >= 1 / Ratio::kSame && interval->high <= Ratio::kSame) return Verdict::kSame;
  if (interval->low > 1) return Verdict::kSlower;
  return interval->high < 1 ? Verdict::kFaster : Verdict::kInconclusive;
}

std::vector<Judgement> judge(const std::vector<CellTimes>& cells, double threshold_percent) {
  std::vector<Spread> spreads;
  std::vector<Judgement> judgements;
  for (const CellTimes& cell : cells) {
    const auto a = parts_of(cell.a);
    const auto b = parts_of(cell.b);
    spreads.push_back(spread_of(cell, a, b));
    judgements.emplace_back().noise_a = range_of(a);
    judgements.back().noise_b = range_of(b);
  }
  const double middle = middle_variance(spreads);
  const double level = level_of_each(cells.size());
  const double quantile = normal_quantile(level);
  for (std::size_t at = 0; at < cells.size(); ++at) {
    const CellTimes& cell = cells[at];
    Judgement& judgement = judgements[at];
    const Joined a = joined(cell.a);
    const Joined b = joined(cell.b);
    judgement.a_ms = median(a.values);
    judgement.b_ms = median(b.values);
    Ratio ratio = *median_ratio(b.samples(), a.samples(), level);
    const Spread& spread = spreads[at];
    if (ratio.interval && spread.degrees > 0) {
      const double errors =
          std::max(student(spread.degrees), quantile) * std::sqrt(spread.of_difference);
      const double of_all = std::exp(errors * std::sqrt(middle));
      const double own = std::exp(errors * std::sqrt(spread.variance()));
      const Interval most = extremes_of(b.values, a.values);
      reach(*ratio.interval, ratio.value / of_all, ratio.value * of_all);
      reach(*ratio.interval, std::max(ratio.value / own, most.low),
            std::min(ratio.value * own, most.high));
    }
    judgement.ratio = with_machine(ratio, cell);
    judgement.verdict = verdict_of(judgement.ratio.interval, threshold_percent);
    judgement.regression =
        judgement.ratio.interval && judgement.ratio.interval->low > 1 + threshold_percent / 100;
  }
  return judgements;
}

}  // namespace hdbench::bench
