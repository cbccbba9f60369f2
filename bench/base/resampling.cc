#include "bench/base/resampling.h"

#include <algorithm>
#include <cmath>

#include "bench/base/statistics.h"
#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

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
