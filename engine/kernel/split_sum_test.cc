#include "engine/kernel/split_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

__extension__ typedef __int128 Int128;

// Integers times 2^-20 of magnitudes up to `most`: sums of them, and of their products, are exact
// in 128-bit integers.
struct Numbers {
  std::vector<std::int64_t> integers;
  std::vector<double> doubles;
};

constexpr int kGrid = -20;

Numbers some_numbers(std::mt19937_64& random, std::size_t rows, std::int64_t most) {
  Numbers numbers;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto span = static_cast<std::uint64_t>(2 * most + 1);
    numbers.integers.push_back(static_cast<std::int64_t>(random() % span) - most);
    numbers.doubles.push_back(std::ldexp(static_cast<double>(numbers.integers.back()), kGrid));
  }
  return numbers;
}

// A double on the grid 2^(2 kGrid), as an integer.
Int128 on_grid(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int shift = exponent - 53 - 2 * kGrid;
  if (shift >= 0) return Int128{mantissa} * (Int128{1} << shift);
  REQUIRE((shift > -64 && (mantissa & ((std::int64_t{1} << -shift) - 1)) == 0));
  return mantissa >> -shift;
}

template <typename Check>
void on_blocks_of_numbers(const Check& check) {
  on_every_target([&] {
    std::mt19937_64 random(20);
    for (const std::size_t rows : {0, 1, 63, 64, 65, 200, 4096}) {
      for (const unsigned percent : {0u, 1u, 50u, 90u, 100u}) {
        std::vector<std::uint64_t> bits(percent == 100 ? 0 : words_for(rows));
        for (std::size_t row = 0; percent != 100 && row < rows; ++row) {
          if (random() % 100 < percent)
            bits[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
        }
        INFO(rows << " rows, " << percent << " percent");
        check(random, rows, bits);
      }
    }
  });
}

constexpr std::int64_t kMost = std::int64_t{1} << 40;
constexpr SplitBound kBound{20, false};  // kMost on the grid

const double* data_of(const Numbers& numbers) { return numbers.doubles.data(); }

}  // namespace

TEST_CASE("split sums are exact, whatever is selected") {
  on_blocks_of_numbers([](auto& random, std::size_t rows, const auto& bits) {
    const Numbers numbers = some_numbers(random, rows, kMost);
    Int128 expected = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (is_in(bits, row)) expected += Int128{numbers.integers[row]} * (1 << -kGrid);
    }
    const DoubleBlock block{data_of(numbers), rows, bits.empty() ? nullptr : bits.data()};
    for (const bool one_piece : {false, true}) {
      const SplitSum sum = split_sum(block, {20, false, one_piece});
      REQUIRE(sum.exact);
      REQUIRE(on_grid(sum.high) + on_grid(sum.low) == expected);
      REQUIRE(split_sum(block, {20, true, one_piece}).nulls == 0);
    }
  });
}

TEST_CASE("values on a coarse grid are summed as one piece") {
  on_blocks_of_numbers([](auto& random, std::size_t rows, const auto& bits) {
    Numbers numbers = some_numbers(random, rows, kMost / 2);
    Int128 expected = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      numbers.doubles[row] *= 2;  // multiples of 2^-19
      if (is_in(bits, row)) expected += Int128{2 * numbers.integers[row]} * (1 << -kGrid);
    }
    const DoubleBlock block{data_of(numbers), rows, bits.empty() ? nullptr : bits.data()};
    for (const bool nulls : {false, true}) {
      const SplitSum sum = split_sum(block, {20, nulls, /*one_piece=*/true});
      REQUIRE((sum.exact && sum.one_piece));
      REQUIRE(on_grid(sum.high) + on_grid(sum.low) == expected);
    }
  });
}

// The bound of a sum of one piece is not checked value by value. Two great values that cancel are
// 16 rows apart, with zeros between, so that the same lane of the same running sum takes them one
// behind the other, whatever the vectors' length.
TEST_CASE("a sum of one piece is exact whatever values are beyond its bound, or is reported") {
  std::size_t exact = 0, reported = 0;
  on_blocks_of_numbers([&](auto& random, std::size_t rows, const auto& bits) {
    for (const int exponent : {21, 24, 30, 34, 36, 53, 70}) {
      std::vector<double> values;
      for (std::size_t row = 0; row < rows; ++row)
        values.push_back(std::ldexp(static_cast<double>(2 * (random() % 2048) + 1), -19));
      for (std::size_t row = random() % 64; row + 16 < rows; row += 64) {
        std::fill_n(&values[row], 17, 0.0);
        values[row] = std::ldexp(random() % 2 == 0 ? 1.0 : -1.25, exponent);
        values[row + 16] = -values[row];
      }
      Int128 expected = 0;
      bool has_great = false;
      for (std::size_t row = 0; row < rows; ++row) {
        if (!is_in(bits, row)) continue;
        expected += on_grid(values[row]);
        has_great |= std::abs(values[row]) > 0x1p20;
      }
      const SplitSum sum = split_sum({values.data(), rows, bits.empty() ? nullptr : bits.data()},
                                     {20, false, /*one_piece=*/true});
      if (sum.exact) REQUIRE(on_grid(sum.high) + on_grid(sum.low) == expected);
      exact += has_great && sum.one_piece ? 1 : 0;
      reported += has_great && !sum.exact ? 1 : 0;
    }
  });
  REQUIRE((exact > 0 && reported > 0));
}

TEST_CASE("reals have the sums of the doubles that they are") {
  on_blocks_of_numbers([](auto& random, std::size_t rows, const auto& bits) {
    std::vector<float> reals;
    std::vector<double> doubles;
    for (std::size_t row = 0; row < rows; ++row) {
      const bool is_null = random() % 5 == 0;
      reals.push_back(
          is_null
              ? std::numeric_limits<float>::quiet_NaN()
              : static_cast<float>(static_cast<std::int64_t>(random() % 2000001) - 1000000) / 3);
      doubles.push_back(static_cast<double>(reals.back()));
    }
    const std::uint64_t* const selected = bits.empty() ? nullptr : bits.data();
    for (const SplitBound bound :
         {SplitBound{20, true}, SplitBound{20, false}, SplitBound{20, true, true}}) {
      const SplitSum found = split_sum(RealBlock{reals.data(), rows, selected}, bound);
      const SplitSum expected = split_sum(DoubleBlock{doubles.data(), rows, selected}, bound);
      REQUIRE(found.exact == expected.exact);
      REQUIRE(found.nulls == expected.nulls);
      if (!found.exact) continue;
      REQUIRE((found.high == expected.high && found.low == expected.low));
      REQUIRE(found.greatest == expected.greatest);
    }
  });
}

TEST_CASE("a block of the greatest magnitudes alone is summed exactly") {
  on_every_target([] {
    for (const double value : {0x1p20, -0x1p20, 0x1.fffffffffffffp19}) {
      const std::vector<double> values(kSplitRowsMax, value);
      const SplitSum sum = split_sum({values.data(), values.size(), nullptr}, kBound);
      REQUIRE(sum.exact);
      REQUIRE(std::fma(-4096.0, value, sum.high) == -sum.low);
      const SplitProducts squares = split_squares({values.data(), values.size(), nullptr}, kBound);
      REQUIRE(squares.exact);
      Int128 total = 0;
      for (const double product : squares.products)
        total += static_cast<Int128>(std::ldexp(product, 66));
      const auto whole = static_cast<Int128>(std::ldexp(value, 33));
      REQUIRE(total == 4096 * whole * whole);
    }
  });
}

TEST_CASE("what is outside the bound or off the grid is reported") {
  on_every_target([] {
    std::vector<double> values(100, 1.0);
    const auto is_exact = [&](SplitBound bound) {
      return split_sum({values.data(), values.size(), nullptr}, bound).exact;
    };
    REQUIRE(is_exact({0, false}));
    values[70] = 1.0 + 0x1p-52;
    REQUIRE_FALSE(is_exact({0, false}));
    REQUIRE_FALSE(is_exact({0, false, /*one_piece=*/true}));
    REQUIRE(is_exact({1, false}));
    REQUIRE_FALSE(is_exact({40, false}));  // 2^-52 is below 2^(40 - 79)
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity(), 5e-324}) {
      values[70] = bad;
      REQUIRE_FALSE(is_exact({0, false}));
      REQUIRE_FALSE(is_exact({0, false, /*one_piece=*/true}));
      REQUIRE_FALSE(split_squares({values.data(), values.size(), nullptr}, {0, false}).exact);
      REQUIRE_FALSE(
          split_products({values.data(), 100, nullptr}, values.data(), {0, false}, {0, false})
              .exact);
      std::vector<double> pairs(2 * 128);
      REQUIRE_FALSE(split_pairs(values.data(), 100, {0, false}, 16, pairs.data()).exact);
      std::vector<double> rows(8 * 104);
      REQUIRE_FALSE(split_rows(values.data(), nullptr, 100, {0, false}, {0, false},
                               {rows.data(), rows.data() + 4 * 104})
                        .exact);
    }
  });
}

TEST_CASE("nulls are left out and counted where the caller says that there are some") {
  on_blocks_of_numbers([](auto& random, std::size_t rows, const auto& bits) {
    Numbers numbers = some_numbers(random, rows, kMost / 2);
    for (std::size_t row = 0; row < rows; ++row) {
      numbers.integers[row] *= 2;
      numbers.doubles[row] *= 2;
    }
    std::uint64_t nulls = 0;
    Int128 expected = 0;
    Int128 squares = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const bool is_null = random() % 4 == 0;
      if (is_null) numbers.doubles[row] = std::numeric_limits<double>::quiet_NaN();
      if (!is_in(bits, row)) continue;
      nulls += is_null ? 1 : 0;
      if (is_null) continue;
      expected += Int128{numbers.integers[row]} * (1 << -kGrid);
      squares += Int128{numbers.integers[row]} * numbers.integers[row];
    }
    const DoubleBlock block{data_of(numbers), rows, bits.empty() ? nullptr : bits.data()};
    for (const bool one_piece : {false, true}) {
      const SplitSum sum = split_sum(block, {20, true, one_piece});
      REQUIRE((sum.exact && sum.one_piece == one_piece && sum.nulls == nulls));
      REQUIRE(on_grid(sum.high) + on_grid(sum.low) == expected);
    }
    const SplitProducts products = split_squares(block, {20, true});
    REQUIRE((products.exact && products.nulls == nulls));
    Int128 found = 0;
    for (const double product : products.products) found += on_grid(product);
    REQUIRE(found == squares);
  });
}

TEST_CASE("products with weights of one piece are exact, other weights are reported") {
  on_blocks_of_numbers([](auto& random, std::size_t rows, const auto& bits) {
    const Numbers values = some_numbers(random, rows, kMost);
    std::vector<double> weights(rows);
    Int128 expected = 0;
    std::int64_t expected_weights = 0;
    bool has_any = false;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto weight = static_cast<std::int64_t>(random() % ((1 << 21) + 1)) - (1 << 20);
      weights[row] = static_cast<double>(weight);
      if (!is_in(bits, row)) continue;
      expected += Int128{values.integers[row]} * weight * (1 << -kGrid);
      expected_weights += weight;
      has_any = true;
    }
    const DoubleBlock block{data_of(values), rows, bits.empty() ? nullptr : bits.data()};
    const SplitProducts split =
        split_products(block, weights.data(), kBound, {20, false, /*one_piece=*/true});
    REQUIRE(split.exact);
    Int128 found = 0;
    for (const double product : split.products) found += on_grid(product);
    REQUIRE(found == expected);
    REQUIRE(split.weights[0] == static_cast<double>(expected_weights));
    if (!has_any) return;
    for (double& weight : weights) weight += 0x1p-3;
    REQUIRE_FALSE(split_products(block, weights.data(), kBound, {20, false, true}).exact);
  });
}

TEST_CASE("sums of products are exact, row by row and together") {
  on_blocks_of_numbers([](auto& random, std::size_t rows, const auto& bits) {
    const Numbers values = some_numbers(random, rows, kMost);
    const Numbers weights = some_numbers(random, rows, kMost >> 7);
    const SplitBound weights_bound{13, false};
    Int128 expected = 0;
    Int128 expected_weights = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (!is_in(bits, row)) continue;
      expected += Int128{values.integers[row]} * weights.integers[row];
      expected_weights += Int128{weights.integers[row]} * (1 << -kGrid);
    }
    const DoubleBlock block{data_of(values), rows, bits.empty() ? nullptr : bits.data()};
    const SplitProducts split = split_products(block, data_of(weights), kBound, weights_bound);
    REQUIRE(split.exact);
    Int128 found = 0;
    Int128 found_weights = 0;
    for (const double product : split.products) found += on_grid(product);
    for (const double weight : split.weights) found_weights += on_grid(weight);
    REQUIRE(found == expected);
    REQUIRE(found_weights == expected_weights);

    std::vector<double> parts(8 * (rows + 8));
    const RowParts to{parts.data(), parts.data() + 4 * (rows + 8)};
    REQUIRE(split_rows(data_of(values), data_of(weights), rows, kBound, weights_bound, to).exact);
    for (std::size_t row = 0; row < rows; ++row) {
      Int128 product = on_grid(to.second[4 * row]);
      for (int p = 0; p < 4; ++p)
        product += on_grid(to.first[4 * row + static_cast<std::size_t>(p)]);
      REQUIRE(product == Int128{values.integers[row]} * weights.integers[row]);
    }
  });
}

TEST_CASE("pairs add up to their values, and leave space for many more") {
  on_blocks_of_numbers([](auto& random, std::size_t rows, const auto&) {
    const Numbers numbers = some_numbers(random, rows, kMost);
    for (const int headroom : {1, 16, 20}) {
      std::vector<double> pairs(2 * (rows + kWordRows));
      REQUIRE(split_pairs(data_of(numbers), rows, kBound, headroom, pairs.data()).exact);
      const double unit = std::ldexp(1.0, 20 + headroom - 52);
      for (std::size_t row = 0; row < rows; ++row) {
        REQUIRE(pairs[2 * row] + pairs[2 * row + 1] == numbers.doubles[row]);
        REQUIRE(std::fmod(pairs[2 * row], unit) == 0);
      }
    }
  });
}
