// How sure a median is: percentile bootstrap intervals (B. Efron, "Bootstrap Methods: Another Look
// at the Jackknife", Annals of Statistics 7, 1979), with random numbers that are the same on every
// machine, so that the same samples always give the same interval.
//
// An interval of few samples is no wider than they lie apart: with five, 94 % of what a repeated
// experiment's five would straddle. Fewer than two samples have no interval.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace hdbench {

struct Interval {
  double low = 0;
  double high = 0;

  bool holds(double value) const { return low <= value && value <= high; }
};

constexpr double kIntervalLevel = 0.95;
constexpr std::size_t kResamples = 2000;

// Of the median. Nothing: fewer than two samples.
std::optional<Interval> median_interval(std::span<const double> samples);

// (high - low) / (2 median): the "+- x %" of a figure; nothing without an interval or where the
// median is not above 0.
std::optional<double> relative_half_width(std::span<const double> samples);

// How many times a's median is b's, with the interval of that ratio where both have two samples or
// more.
struct Ratio {
  double value = 0;
  std::optional<Interval> interval;

  // Whether the interval says that they are not the same. Without one nothing is said.
  bool is_different() const { return interval && !interval->holds(1.0); }
};

// Nothing: a side without samples, or with a median that is not above 0.
std::optional<Ratio> median_ratio(std::span<const double> a, std::span<const double> b,
                                  double level = kIntervalLevel);

// The level of each of so many intervals at which all of them together are right as often as one
// at kIntervalLevel (Bonferroni's correction). Of hundreds of cells some would differ by chance.
double level_of_each(std::size_t intervals);

}  // namespace hdbench
