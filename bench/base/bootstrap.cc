#include "bench/base/bootstrap.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "bench/base/statistics.h"

namespace hdbench {
namespace {

// Draws as many samples as there are, with replacement, and gives their median. The standard's
// engine is the same everywhere; its distributions are not.
class Resampler {
 public:
  explicit Resampler(std::span<const double> samples) : samples_(samples), drawn_(samples.size()) {}

  double median_of_next(std::mt19937_64& random) {
    for (double& sample : drawn_) sample = samples_[below(samples_.size(), random)];
    return median(drawn_);
  }

 private:
  static std::size_t below(std::size_t count, std::mt19937_64& random) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>((static_cast<Wide>(random()) * count) >> 64);
  }

  std::span<const double> samples_;
  std::vector<double> drawn_;
};

constexpr std::uint64_t kSeed = 20200529;

Interval percentiles(std::vector<double>& figures, double level) {
  std::sort(figures.begin(), figures.end());
  const double outside = (1 - level) / 2;
  const auto last = static_cast<double>(figures.size() - 1);
  const auto at = [&](double share) { return figures[static_cast<std::size_t>(share * last)]; };
  return {at(outside), at(1 - outside)};
}

template <typename Draw>
Interval interval_of(Draw draw, double level = kIntervalLevel) {
  std::vector<double> figures(kResamples);
  std::generate(figures.begin(), figures.end(), draw);
  return percentiles(figures, level);
}

}  // namespace

std::optional<Interval> median_interval(std::span<const double> samples) {
  if (samples.size() < 2) return std::nullopt;
  std::mt19937_64 random(kSeed);
  Resampler resampler(samples);
  return interval_of([&] { return resampler.median_of_next(random); });
}

std::optional<double> relative_half_width(std::span<const double> samples) {
  const auto interval = median_interval(samples);
  if (!interval) return std::nullopt;
  const double middle = median(samples);
  if (!(middle > 0)) return std::nullopt;
  return (interval->high - interval->low) / (2 * middle);
}

std::optional<Ratio> median_ratio(std::span<const double> a, std::span<const double> b,
                                  double level) {
  if (a.empty() || b.empty()) return std::nullopt;
  const double of_a = median(a);
  const double of_b = median(b);
  if (!(of_a > 0) || !(of_b > 0)) return std::nullopt;
  Ratio ratio{of_a / of_b, std::nullopt};
  const bool positive = *std::min_element(b.begin(), b.end()) > 0;
  if (a.size() < 2 || b.size() < 2 || !positive) return ratio;
  std::mt19937_64 random(kSeed);
  Resampler resampler_a(a);
  Resampler resampler_b(b);
  ratio.interval = interval_of(
      [&] { return resampler_a.median_of_next(random) / resampler_b.median_of_next(random); },
      level);
  return ratio;
}

double level_of_each(std::size_t intervals) {
  return 1 - (1 - kIntervalLevel) / static_cast<double>(std::max<std::size_t>(1, intervals));
}

}  // namespace hdbench
