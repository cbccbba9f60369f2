// Times of repetitions: how long one took, and their median and spread.
#pragma once

#include <chrono>
#include <span>

namespace hdbench::bench {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Summary {
  double median = 0;
  double min = 0;
  double max = 0;
  // (max - min) / median; 0 where the median is 0.
  double relative_spread = 0;
};

// The middle value, or the mean of the two middle ones. Requires: samples is not empty.
double median(std::span<const double> samples);

// The value below which a share `q` of the samples lies, between neighbours in proportion: 0 gives
// the least, 1 the greatest. Requires: samples is not empty, 0 <= q <= 1.
double quantile(std::span<const double> samples, double q);

// Requires: samples is not empty.
Summary summarise(std::span<const double> samples);

// Requires: samples is not empty and every one is above 0.
double geometric_mean(std::span<const double> samples);

}  // namespace hdbench::bench
