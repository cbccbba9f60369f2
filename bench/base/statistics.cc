#include "bench/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/check.h"

namespace hdbench::bench {

double median(std::span<const double> samples) {
  HDB_CHECK(!samples.empty(), "median of nothing");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

double quantile(std::span<const double> samples, double q) {
  HDB_CHECK(!samples.empty() && q >= 0 && q <= 1, "a quantile of some samples");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary summarise(std::span<const double> samples) {
  Summary summary;
  summary.median = median(samples);
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  summary.min = *low;
  summary.max = *high;
  if (summary.median > 0) summary.relative_spread = (summary.max - summary.min) / summary.median;
  return summary;
}

double geometric_mean(std::span<const double> samples) {
  HDB_CHECK(!samples.empty(), "geometric mean of nothing");
  double logs = 0;
  for (const double sample : samples) {
    HDB_CHECK(sample > 0, "geometric mean of a figure that is not above 0");
    logs += std::log(sample);
  }
  return std::exp(logs / static_cast<double>(samples.size()));
}

}  // namespace hdbench::bench
