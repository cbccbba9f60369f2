#include "bench/base/bootstrap.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "bench/base/resampling.h"
#include "bench/base/statistics.h"

namespace hdbench::bench {
namespace {

// Student's t at 97.5 %, by degrees of freedom from 1 on; the last is taken for all beyond it.
constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};

}  // namespace

double student(std::size_t degrees) { return kStudent[std::min(degrees, kStudent.size()) - 1]; }

std::optional<Interval> median_interval(const Samples& samples) {
  if (samples.values.size() < 2) return std::nullopt;
  std::mt19937_64 random(kResampleSeed);
  Resampler resampler(samples);
  std::vector<double> figures(kResamples);
  for (double& figure : figures) figure = resampler.median_of_next(random);
  return resampled_interval(std::move(figures), median(samples.values),
                            widening(visits_of(samples)));
}

std::optional<double> relative_half_width(const Samples& samples) {
  const auto interval = median_interval(samples);
  if (!interval) return std::nullopt;
  const double middle = median(samples.values);
  if (!(middle > 0)) return std::nullopt;
  return (interval->high - interval->low) / (2 * middle);
}

std::optional<Ratio> median_ratio(const Samples& a, const Samples& b, double level) {
  if (a.values.empty() || b.values.empty()) return std::nullopt;
  const double of_a = median(a.values);
  const double of_b = median(b.values);
  if (!(of_a > 0) || !(of_b > 0)) return std::nullopt;
  Ratio ratio{of_a / of_b, std::nullopt};
  const bool positive = *std::min_element(b.values.begin(), b.values.end()) > 0;
  if (a.values.size() < 2 || b.values.size() < 2 || !positive) return ratio;
  std::mt19937_64 random(kResampleSeed);
  Resampler resampler_a(a);
  Resampler resampler_b(b);
  std::vector<double> figures(kResamples);
  for (double& figure : figures)
    figure = resampler_a.median_of_next(random) / resampler_b.median_of_next(random);
  ratio.interval =
      resampled_interval(std::move(figures), ratio.value,
                         std::max(widening(visits_of(a)), widening(visits_of(b))), level);
  return ratio;
}

double level_of_each(std::size_t intervals) {
  return 1 - (1 - kIntervalLevel) / static_cast<double>(std::max<std::size_t>(1, intervals));
}

}  // namespace hdbench::bench
