#include "bench/base/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "bench/base/statistics.h"
#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

// Student's t at 97.5 %, by degrees of freedom from 1 on; the last is taken for all beyond it.
constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};

std::size_t drawn_below(std::size_t count, std::mt19937_64& random) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>((static_cast<Wide>(random()) * count) >> 64);
}

Interval percentiles(std::vector<double>& figures, double level) {
  std::sort(figures.begin(), figures.end());
  const double outside = (1 - level) / 2;
  const auto last = static_cast<double>(figures.size() - 1);
  const auto at = [&](double place) { return figures[static_cast<std::size_t>(place)]; };
  return {at(std::floor(outside * last)), at(std::ceil((1 - outside) * last))};
}

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

Resampler::Resampler(const Samples& samples) {
  std::size_t begin = 0;
  for (const std::size_t count : samples.visits) {
    if (count != 0) visits_.push_back(samples.values.subspan(begin, count));
    begin += count;
  }
  if (samples.visits.empty()) visits_.push_back(samples.values);
  HDB_CHECK(samples.visits.empty() || begin == samples.values.size(), "visits hold all samples");
  drawn_.reserve(samples.values.size());
}

double Resampler::median_of_next(std::mt19937_64& random) {
  drawn_.clear();
  for (std::size_t visit = 0; visit < visits_.size(); ++visit) {
    // One visit is not drawn: its samples' numbers are what they were before there were visits.
    const auto& of =
        visits_.size() == 1 ? visits_[0] : visits_[drawn_below(visits_.size(), random)];
    for (std::size_t i = 0; i < of.size(); ++i)
      drawn_.push_back(of[drawn_below(of.size(), random)]);
  }
  return median(drawn_);
}

std::size_t visits_of(const Samples& samples) {
  const auto has_any = [](std::size_t count) { return count != 0; };
  return static_cast<std::size_t>(
      std::count_if(samples.visits.begin(), samples.visits.end(), has_any));
}

double widening(std::size_t visits) {
  constexpr double kNormal = 1.960;
  if (visits < 2) return 1;
  const auto count = static_cast<double>(visits);
  return student(visits - 1) / kNormal * std::sqrt(count / (count - 1));
}

Interval resampled_interval(std::vector<double> figures, double middle, double by, double level) {
  const Interval interval = percentiles(figures, level);
  if (by == 1) return interval;
  if (interval.low > 0 && middle > 0) {
    return {middle * std::pow(interval.low / middle, by),
            middle * std::pow(interval.high / middle, by)};
  }
  return {middle - (middle - interval.low) * by, middle + (interval.high - middle) * by};
}

}  // namespace hdbench::bench
