#include "bench/base/bootstrap.h"

#include <cmath>
#include <random>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("fewer than two samples have no interval") {
  CHECK_FALSE(median_interval({}));
  CHECK_FALSE(median_interval({std::vector<double>{3}}));
  CHECK_FALSE(relative_half_width({std::vector<double>{3}}));
}

TEST_CASE("samples that are all one figure have an interval of no width") {
  const std::vector<double> samples{4, 4, 4, 4, 4};
  CHECK(median_interval({samples})->low == 4);
  CHECK(median_interval({samples})->high == 4);
  CHECK(relative_half_width({samples}) == 0.0);
}

TEST_CASE("the interval is the same every time and holds the median") {
  const std::vector<double> samples{10, 11, 9, 10.5, 9.5, 30};
  const auto once = *median_interval({samples});
  const auto again = *median_interval({samples});
  CHECK(once.low == again.low);
  CHECK(once.high == again.high);
  CHECK(once.holds(10.25));
  CHECK(once.low >= 9);
  CHECK(once.high <= 30);
}

// 0.5 -+ 1.96 / (2 * sqrt(n)) of the way through n sorted samples: 40.2 to 59.8 of 0..100.
TEST_CASE("the interval of many samples is the textbook's") {
  std::vector<double> samples;
  for (int i = 0; i <= 100; ++i) samples.push_back(i);
  const auto interval = *median_interval({samples});
  CHECK(interval.low == Approx(40.2).margin(2));
  CHECK(interval.high == Approx(59.8).margin(2));
}

TEST_CASE("a ratio is of the medians, and different only when its interval says so") {
  const std::vector<double> fast{10, 10.1, 9.9, 10, 10.2};
  const std::vector<double> slow{20, 20.2, 19.8, 20, 20.4};
  const auto ratio = *median_ratio({slow}, {fast});
  CHECK(ratio.value == Approx(2));
  CHECK(ratio.interval->holds(2));
  CHECK(ratio.is_different());
  CHECK_FALSE(median_ratio({fast}, {fast})->is_different());
}

TEST_CASE("a ratio of single samples is a figure without a claim") {
  const auto ratio = *median_ratio({std::vector<double>{4}}, {std::vector<double>{1}});
  CHECK(ratio.value == 4);
  CHECK_FALSE(ratio.interval);
  CHECK_FALSE(ratio.is_different());
}

TEST_CASE("visits that lie apart make an interval wide, however close their own samples are") {
  const std::vector<double> samples{10, 10.1, 9.9, 20, 20.1, 19.9, 30, 30.1, 29.9};
  const std::vector<std::size_t> visits{3, 3, 3};
  const auto interval = *median_interval({samples, visits});
  CHECK(interval.low <= 10.1);
  CHECK(interval.high >= 29.9);
  const std::vector<double> later{12, 12.1, 11.9, 22, 22.1, 21.9, 32, 32.1, 31.9};
  CHECK_FALSE(median_ratio({later, visits}, {samples, visits})->is_different());
  // Of one load, they would be.
  const std::vector<double> first(samples.begin(), samples.begin() + 3);
  const std::vector<double> second(later.begin(), later.begin() + 3);
  CHECK(median_ratio({second}, {first})->is_different());
}

TEST_CASE("one visit is all samples as they are, and one without samples is none") {
  const std::vector<double> samples{10, 11, 9, 10.5, 9.5, 30};
  const std::vector<std::size_t> one{6};
  const std::vector<std::size_t> with_none{0, 6};
  for (const auto& visits : {one, with_none}) {
    CHECK(median_interval({samples, visits})->low == median_interval({samples})->low);
    CHECK(median_interval({samples, visits})->high == median_interval({samples})->high);
  }
}

// Visits apart by 5 %, their repetitions by 1 %: how often an interval holds the median of all
// visits there could be.
TEST_CASE("the interval of few visits holds what it says about as often as it says") {
  for (const std::size_t visits : {2u, 3u, 5u}) {
    std::mt19937_64 random(visits);
    const auto normal = [&] {  // the sum of twelve, less six
      double sum = -6;
      for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11) * 0x1p-53;
      return sum;
    };
    constexpr int kTrials = 300;
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> samples;
      for (std::size_t visit = 0; visit < visits; ++visit) {
        const double of_visit = 100 * (1 + 0.05 * normal());
        for (int i = 0; i < 3; ++i) samples.push_back(of_visit * (1 + 0.01 * normal()));
      }
      const std::vector<std::size_t> counts(visits, 3);
      if (median_interval({samples, counts})->holds(100)) ++held;
    }
    INFO(visits << " visits: " << held << " of " << kTrials);
    CHECK(held >= kTrials * 0.91);
    CHECK(held <= kTrials * 0.995);
  }
}

TEST_CASE("two are the same within 10 %, different, or it is not known") {
  const auto told = [](std::optional<Interval> interval) {
    const Ratio ratio{1, interval};
    return ratio.is_same() ? "same" : ratio.is_different() ? "different" : "cannot tell";
  };
  CHECK(told(Interval{0.95, 1.05}) == std::string("same"));
  CHECK(told(Interval{1.02, 1.08}) == std::string("same"));
  CHECK(told(Interval{1.02, 1.3}) == std::string("different"));
  CHECK(told(Interval{0.7, 0.9}) == std::string("different"));
  CHECK(told(Interval{0.95, 1.3}) == std::string("cannot tell"));
  CHECK(told(std::nullopt) == std::string("cannot tell"));
  CHECK(Ratio{1, Interval{0.95, 1.3}}.is_unsaid());
}

TEST_CASE("nothing is so many times nothing") {
  CHECK_FALSE(median_ratio({}, {std::vector<double>{1}}));
  CHECK_FALSE(median_ratio({std::vector<double>{1}}, {}));
  CHECK_FALSE(median_ratio({std::vector<double>{1}}, {std::vector<double>{0}}));
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

}  // namespace hdbench::bench
