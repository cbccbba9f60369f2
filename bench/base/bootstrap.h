// Confidence intervals of medians: percentile bootstrap (B. Efron, "Bootstrap Methods: Another Look
// at the Jackknife", Annals of Statistics 7, 1979) with fixed random numbers, so that the same
// samples always give the same interval.
//
// With few samples an interval is no wider than their range: with five, 94 % of what a repeated
// experiment's five would straddle. Fewer than two samples have no interval.
//
// Samples of one visit (a table loaded once) share its pages and its minutes. With several visits a
// two-stage bootstrap draws visits first, with replacement, and then as many samples of each as it
// has (A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their Application", 1997, section
// 3.8): differences between visits widen the interval, however close the samples of each are. Few
// visits underestimate that spread, so the interval's sides are widened, as factors, by Student's t
// for the number of visits V (its quantile over the normal one, times sqrt(V / (V - 1))): 9.2 times
// for two visits, 2.7 for three, 1.6 for five, 1.2 for ten. Both sides of a ratio are drawn
// independently and widened by the smaller number of visits, which makes the interval of two cells
// with common visits too wide rather than too narrow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace hdbench::bench {

struct Interval {
  double low = 0;
  double high = 0;

  bool holds(double value) const { return low <= value && value <= high; }
};

constexpr double kIntervalLevel = 0.95;
constexpr std::size_t kResamples = 2000;

// The samples of an interval. Does not own them.
struct Samples {
  std::span<const double> values = {};
  // The number of samples of each visit, in order, adding up to all; empty: one visit.
  std::span<const std::size_t> visits = {};
};

// The interval of the median. Nothing for fewer than two samples.
std::optional<Interval> median_interval(const Samples& samples);

// (high - low) / (2 median): the "+- x %" of a figure; nothing without an interval or where the
// median is not above 0.
std::optional<double> relative_half_width(const Samples& samples);

// a's median over b's, with the interval of that ratio if both have two samples or more.
struct Ratio {
  static constexpr double kSame = 1.1;

  double value = 0;
  std::optional<Interval> interval;

  // Whether the interval says that they are not the same. Without one nothing is said.
  bool is_different() const { return interval && !interval->holds(1.0); }
  // Whether the whole interval lies within kSame of 1, as a factor.
  bool is_same() const { return interval && interval->low >= 1 / kSame && interval->high <= kSame; }
  // Neither: more repetitions may tell.
  bool is_unsaid() const { return !is_same() && !is_different(); }
};

// Nothing: a side without samples, or with a median that is not above 0.
std::optional<Ratio> median_ratio(const Samples& a, const Samples& b,
                                  double level = kIntervalLevel);

// The level of each of so many intervals at which all of them together are right as often as one
// at kIntervalLevel (Bonferroni's correction). Of hundreds of cells some would differ by chance.
double level_of_each(std::size_t intervals);

// Student's t of a two-sided interval of kIntervalLevel. Requires: degrees >= 1.
double student(std::size_t degrees);

// Resamples of repetitions, of which bootstrap intervals are made (bootstrap.h says which).
constexpr std::uint64_t kResampleSeed = 20200529;

// Draws visits, as many as there are, and of each as many samples as it has, all with replacement,
// and gives their median. The standard's engine is the same everywhere; its distributions are not.
// Does not own the samples. Requires: there are some.
class Resampler {
 public:
  explicit Resampler(const Samples& samples);

  double median_of_next(std::mt19937_64& random);

 private:
  std::vector<std::span<const double>> visits_;
  std::vector<double> drawn_;
};

// The visits that have samples; 0 where none are distinguished.
std::size_t visits_of(const Samples& samples);

// How many times as wide an interval of so few visits has to be; 1 of a single visit: then nothing
// is known of others.
double widening(std::size_t visits);

// The figures' middle kIntervalLevel, or `level`, `by` times as wide: as factors of the middle
// where all are above 0, as times and ratios are. Requires: figures is not empty.
Interval resampled_interval(std::vector<double> figures, double middle, double by,
                            double level = kIntervalLevel);

}  // namespace hdbench::bench
