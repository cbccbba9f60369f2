#include "bench/base/resampling.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("a resample's median is of the samples, and the same for the same seed") {
  const std::vector<double> samples{1, 2, 4};
  std::mt19937_64 one(kResampleSeed);
  std::mt19937_64 other(kResampleSeed);
  Resampler resampler({samples});
  for (int i = 0; i < 100; ++i) {
    const double median = resampler.median_of_next(one);
    CHECK((median == 1 || median == 2 || median == 4));
    CHECK(median == resampler.median_of_next(other));
  }
}

TEST_CASE("an interval is widened as a factor above 0, by its distance else") {
  CHECK(resampled_interval({3}, 3, 1).low == 3);
  const Interval factors = resampled_interval({1, 2, 4}, 2, 2);
  CHECK(factors.low == Approx(0.5));
  CHECK(factors.high == Approx(8));
  const Interval distances = resampled_interval({0, 2, 4}, 2, 2);
  CHECK(distances.low == Approx(-2));
  CHECK(distances.high == Approx(6));
  CHECK(widening(1) == 1);
  CHECK(widening(visits_of({{}, std::vector<std::size_t>{5, 0, 5}})) > 9);
}

}  // namespace
}  // namespace hdbench
