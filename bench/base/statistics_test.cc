#include "bench/base/statistics.h"

#include <vector>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("the median is of the samples in any order, of an even number the middle two's mean") {
  CHECK(median(std::vector<double>{7}) == 7);
  CHECK(median(std::vector<double>{1, 10, 4, 2}) == 3);
  CHECK(median(std::vector<double>{9, 1, 5}) == 5);
  CHECK(median(std::vector<double>{5, 9, 1}) == 5);
}

TEST_CASE("the spread is the distance of the ends over the median") {
  const Summary summary = summarise(std::vector<double>{10, 8, 12});
  CHECK(summary.min == 8);
  CHECK(summary.max == 12);
  CHECK(summary.relative_spread == Approx(0.4));
}

TEST_CASE("quantiles lie between neighbours, in any order of the samples") {
  const std::vector<double> samples{30, 10, 20};
  CHECK(quantile(samples, 0) == 10);
  CHECK(quantile(samples, 0.5) == 20);
  CHECK(quantile(samples, 0.9) == Approx(28));
  CHECK(quantile(samples, 1) == 30);
  CHECK(quantile(std::vector<double>{7}, 0.9) == 7);
}

TEST_CASE("the spread of samples that are all zero is zero") {
  CHECK(summarise(std::vector<double>{0, 0}).relative_spread == 0);
}

TEST_CASE("the geometric mean of ratios and of their inverses are inverse") {
  CHECK(geometric_mean(std::vector<double>{2, 8}) == Approx(4));
  CHECK(geometric_mean(std::vector<double>{0.5, 0.125}) == Approx(0.25));
}

}  // namespace
}  // namespace hdbench::bench
