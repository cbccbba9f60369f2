// Resamples of repetitions, of which bootstrap intervals are made (bootstrap.h says which).
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "bench/base/bootstrap.h"

namespace hdbench::bench {

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

// The visits that have samples; 0 where none are told apart.
std::size_t visits_of(const Samples& samples);

// How many times as wide an interval of so few visits has to be; 1 of a single visit: then nothing
// is known of others.
double widening(std::size_t visits);

// The figures' middle kIntervalLevel, or `level`, `by` times as wide: as factors of the middle
// where all are above 0, as times and ratios are. Requires: figures is not empty.
Interval resampled_interval(std::vector<double> figures, double middle, double by,
                            double level = kIntervalLevel);

}  // namespace hdbench::bench
