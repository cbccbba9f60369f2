#include "engine/operator/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"

using hdbench::ExactSum;
using hdbench::Quad;

namespace {

double exact_sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.rounded();
}

}  // namespace

TEST_CASE("the sum of nothing is 0") { REQUIRE(ExactSum().rounded() == 0.0); }

TEST_CASE("single doubles come back as they went in") {
  for (const double value :
       {1.0, -1.0, 0.1, 1e308, -1e-308, 5e-324, 123456.789, -3e-320, 0x1.fffffffffffffp1023}) {
    REQUIRE(exact_sum_of({value}) == value);
  }
}

TEST_CASE("cancellation leaves what is small") {
  REQUIRE(exact_sum_of({1e100, 1.0, -1e100}) == 1.0);
  REQUIRE(exact_sum_of({1e308, 1e308, -1e308, -1e308, 5e-324}) == 5e-324);
  REQUIRE(exact_sum_of({0.1, 0.2, -0.3}) == 0x1p-55);  // exact: 0.1 + 0.2 - 0.3 as doubles is 2^-55
}

TEST_CASE("the result is rounded to nearest, ties to even") {
  REQUIRE(exact_sum_of({1.0, 0x1p-53}) == 1.0);
  REQUIRE(exact_sum_of({1.0, 0x1p-53, 0x1p-1000}) == 1.0 + 0x1p-52);
  REQUIRE(exact_sum_of({1.0 + 0x1p-52, 0x1p-53}) == 1.0 + 0x1p-51);
  REQUIRE(exact_sum_of({-1.0, -0x1p-53, -0x1p-80}) == -1.0 - 0x1p-52);
}

TEST_CASE("overflow, infinities and NaN") {
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE(exact_sum_of({1.7e308, 1.7e308}) == infinity);
  REQUIRE(exact_sum_of({1.0, infinity}) == infinity);
  REQUIRE(exact_sum_of({1.0, -infinity}) == -infinity);
  REQUIRE(std::isnan(exact_sum_of({infinity, -infinity})));
  REQUIRE(std::isnan(exact_sum_of({1.0, std::nan("")})));
}

TEST_CASE("order and grouping do not matter, and long double agrees") {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> exponent(-8, 8);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> values(1000);
    for (double& value : values)
      value = std::ldexp(unit(random), exponent(random) * (round % 5 + 1));
    const double expected = exact_sum_of(values);
    std::shuffle(values.begin(), values.end(), random);
    REQUIRE(exact_sum_of(values) == expected);
    ExactSum merged;
    for (std::size_t part = 0; part < 10; ++part) {
      ExactSum piece;
      for (std::size_t i = part; i < values.size(); i += 10) piece.add(values[i]);
      merged.add(piece);
    }
    REQUIRE(merged.rounded() == expected);
    long double plain = 0;
    for (const double value : values) plain += value;
    REQUIRE(std::abs(static_cast<double>(plain - static_cast<long double>(expected))) < 1e-3);
  }
}

TEST_CASE("products are added exactly") {
  ExactSum sum;
  sum.add_product(1.0 + 0x1p-30, 1.0 + 0x1p-30);
  sum.add(-1.0);
  sum.add(-0x1p-29);
  REQUIRE(sum.rounded() == 0x1p-60);
}

TEST_CASE("a wide number holds what one double cannot") {
  for (const double scale : {1.0, -1.0, 0x1p-900, 0x1p900, -0x1.8p31}) {
    ExactSum sum;
    sum.add(scale);
    sum.add(scale * 0x1p-70);
    REQUIRE(static_cast<Quad>(sum.wide()) == Quad{scale} + Quad{scale} * Quad{0x1p-70});
    sum.add(-scale);
    REQUIRE(static_cast<Quad>(sum.wide()) == Quad{scale} * Quad{0x1p-70});
  }
  ExactSum least;
  least.add(0x1p-1074);
  REQUIRE(static_cast<Quad>(least.wide()) == Quad{0x1p-1074});
  least.add(0x1p1000);
  REQUIRE(static_cast<Quad>(least.wide()) == Quad{0x1p1000});
  REQUIRE(least.is_finite());
  least.add(INFINITY);
  REQUIRE_FALSE(least.is_finite());
  REQUIRE(ExactSum().wide().is_zero());
}

TEST_CASE("a wide number is right to its last bits, whatever digits the sum begins in") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 2000; ++round) {
    const auto exponent = static_cast<int>(random() % 200) - 100;
    ExactSum sum;
    Quad expected = 0;
    // Two doubles that do not overlap have their sum in 113 bits where 7 lie between them at most.
    for (const int lower : {0, 53}) {
      const auto mantissa = static_cast<double>(random() >> 11 | std::uint64_t{1} << 52);
      const double value = std::ldexp(mantissa, exponent - lower);
      sum.add(value);
      expected += Quad{value};
    }
    REQUIRE(static_cast<Quad>(sum.wide()) == expected);
  }
}

TEST_CASE("many adds of one sign carry without loss") {
  ExactSum sum;
  for (int i = 0; i < 3000000; ++i) sum.add(0x1.fffffffffffffp0);
  sum.add(-3000000.0 * 2.0);
  REQUIRE(sum.rounded() == -3000000.0 * 0x1p-52);
}
