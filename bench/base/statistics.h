// Summary statistics of repetitions: median and spread.
#pragma once

#include <span>

namespace hdbench::bench {

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
