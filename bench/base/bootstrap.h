// How sure a median is: percentile bootstrap intervals (B. Efron, "Bootstrap Methods: Another Look
// at the Jackknife", Annals of Statistics 7, 1979), with random numbers that are the same on every
// machine, so that the same samples always give the same interval.
//
// An interval of few samples is no wider than they lie apart: with five, 94 % of what a repeated
// experiment's five would straddle. Fewer than two samples have no interval.
//
// Samples of one visit (a table loaded once, some minutes) share its pages and its minutes. Where
// there were several, as many visits are drawn first, with replacement, and then of each as many
// samples as it has (the two-stage bootstrap: A. C. Davison and D. V. Hinkley, "Bootstrap Methods
// and their Application", 1997, section 3.8): visits that lie apart make the interval wide, however
// close together the samples of each are. Few visits say little of how far visits lie apart, and no
// resampling knows more than they say: of three the interval would hold the truth three times in
// four. So its sides are widened, as factors, by what Student's t asks of a mean of so many (their
// quantile over the normal one, times sqrt(V / (V - 1))): 9.2 times for two visits, 2.7 for three,
// 1.6 for five, 1.2 for ten. Both sides of a ratio are drawn by themselves, and widened by the
// fewer visits: of two cells that shared their visits its interval is too wide rather than too
// narrow.
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

// What an interval is of. Does not own.
struct Samples {
  std::span<const double> values = {};
  // How many of them each visit gave, in their order, adding up to all; empty: one visit.
  std::span<const std::size_t> visits = {};
};

// Of the median. Nothing: fewer than two samples.
std::optional<Interval> median_interval(const Samples& samples);

// (high - low) / (2 median): the "+- x %" of a figure; nothing without an interval or where the
// median is not above 0.
std::optional<double> relative_half_width(const Samples& samples);

// How many times a's median is b's, with the interval of that ratio where both have two samples or
// more.
struct Ratio {
  double value = 0;
  std::optional<Interval> interval;

  // Whether the interval says that they are not the same. Without one nothing is said.
  bool is_different() const { return interval && !interval->holds(1.0); }
};

// Nothing: a side without samples, or with a median that is not above 0.
std::optional<Ratio> median_ratio(const Samples& a, const Samples& b,
                                  double level = kIntervalLevel);

// The level of each of so many intervals at which all of them together are right as often as one
// at kIntervalLevel (Bonferroni's correction). Of hundreds of cells some would differ by chance.
double level_of_each(std::size_t intervals);

}  // namespace hdbench
