#include "engine/operator/split_adder.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/adversarial_doubles.h"

using namespace hdbench;

namespace {

// Equal, or both not numbers.
bool same(double a, double b) { return a == b || (a != a && b != b); }

}  // namespace

TEST_CASE("blocks of any doubles add up to what they do one by one") {
  SplitAdder adder;
  ProductAdder products;
  std::mt19937_64 random(8);
  for (int round = 0; round < 400; ++round) {
    const std::vector<double> values = adversarial_doubles(random, 1 + random() % 500);
    const std::vector<double> weights = adversarial_doubles(random, values.size());
    std::vector<std::uint64_t> bits(words_for(values.size()), ~std::uint64_t{0});
    bits.back() = tail_mask(values.size());
    if (round % 3 == 0) bits[0] &= random();
    const DoubleBlock block{values.data(), values.size(), bits.data()};
    ExactSum expected, expected_products, expected_weights;
    std::uint64_t nulls = 0;
    std::uint64_t null_pairs = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if ((bits[i / kWordRows] >> (i % kWordRows) & 1) == 0) continue;
      nulls += values[i] != values[i] ? 1 : 0;
      if (values[i] == values[i]) expected.add(values[i]);
      const bool is_pair = values[i] == values[i] && weights[i] == weights[i];
      null_pairs += is_pair ? 0 : 1;
      if (!is_pair) continue;
      expected_products.add_product(weights[i], values[i]);
      expected_weights.add(weights[i]);
    }
    INFO("round " << round);
    ExactSum sum, found_products, found_weights;
    REQUIRE(adder.add(block, sum) == nulls);
    REQUIRE(same(sum.rounded(), expected.rounded()));
    REQUIRE(products.add(block, weights.data(), found_products, found_weights) == null_pairs);
    REQUIRE(same(found_products.rounded(), expected_products.rounded()));
    REQUIRE(same(found_weights.rounded(), expected_weights.rounded()));
  }
}

TEST_CASE("blocks on coarse and fine grids, great and small, add up in any order") {
  const double third = 1.0 / 3;
  std::mt19937_64 random(9);
  SplitAdder adder;
  ExactSum found, expected;
  for (int round = 0; round < 200; ++round) {
    const double unit = std::vector<double>{0.25, third, 0x1p30, 0x1p-30 * third}[random() % 4];
    std::vector<double> values(1 + random() % 200);
    for (double& value : values) {
      value = unit * static_cast<double>(random() % 1000);
      expected.add(value);
    }
    REQUIRE(adder.add({values.data(), values.size(), nullptr}, found) == 0);
    REQUIRE((found.wide() - expected.wide()).is_zero());
  }
}

TEST_CASE("a bound falls where it is too high by more than the slack, and tells") {
  BoundHint hint = BoundHint::of_one_piece();
  REQUIRE(hint.learn(1000, false));
  REQUIRE(hint.bound().exponent == 10);
  REQUIRE_FALSE(hint.settle(1, 12));
  REQUIRE(hint.settle(0x1p-3, 12));
  REQUIRE(hint.bound().exponent == -3);
  REQUIRE_FALSE(hint.settle(0, 12));
  REQUIRE(hint.bound().one_piece);
  REQUIRE(hint.drop_one_piece());
  REQUIRE_FALSE(hint.bound().one_piece);
  REQUIRE_FALSE(hint.drop_one_piece());
}

TEST_CASE("weights may be integers, or turn out not to be") {
  ProductAdder adder;
  ExactSum found, found_weights, expected, expected_weights;
  for (const double step : {1.0, 1e6, 0.1, 0x1p-30}) {
    std::vector<double> values(100);
    std::vector<double> weights(100);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 100.0 / static_cast<double>(i + 3);
      weights[i] = step * static_cast<double>(i);
      expected.add_product(weights[i], values[i]);
      expected_weights.add(weights[i]);
    }
    REQUIRE(adder.add({values.data(), values.size(), nullptr}, weights.data(), found,
                      found_weights) == 0);
    REQUIRE((found.wide() - expected.wide()).is_zero());
    REQUIRE(found.rounded() == expected.rounded());
    REQUIRE(found_weights.rounded() == expected_weights.rounded());
  }
}

TEST_CASE("squares are products of values with themselves") {
  ProductAdder adder;
  const std::vector<double> values{1e9 + 1, -3, 0.1, std::nan("")};
  ExactSum squares, sum, expected;
  for (const double value : {values[0], values[1], values[2]}) expected.add_product(value, value);
  REQUIRE(adder.add({values.data(), values.size(), nullptr}, nullptr, squares, sum) == 1);
  REQUIRE((squares.wide() - expected.wide()).is_zero());
  REQUIRE(squares.rounded() == expected.rounded());
}
