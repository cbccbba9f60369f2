#include "engine/base/wide_number.h"

#include <cmath>
#include <random>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

__extension__ typedef __int128 Int128;

WideNumber wide(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return {number < 0, number < 0 ? std::uint64_t{0} - bits : bits, 0};
}

}  // namespace

TEST_CASE("products and differences of whole numbers are exact while 128 bits hold them") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::int64_t numbers[4];
    for (std::int64_t& number : numbers) {
      number = static_cast<std::int64_t>(random()) >> random() % 64;
      if (random() % 20 == 0) number = 0;
    }
    const auto& [a, b, c, d] = numbers;
    const WideNumber found = wide(a) * wide(b) - wide(c) * wide(d);
    const Int128 half = Int128{a / 2} * b - Int128{c / 2} * d;
    const WideNumber found_half = wide(a / 2) * wide(b) - wide(c / 2) * wide(d);
    REQUIRE(static_cast<Quad>(found_half) == static_cast<Quad>(half));
    REQUIRE(found_half.is_zero() == (half == 0));
    REQUIRE(found_half.is_negative() == (half < 0));
    REQUIRE((wide(a) * wide(b) - wide(a) * wide(b)).is_zero());
    REQUIRE(static_cast<Quad>(found.scaled(-70)) == static_cast<Quad>(found) * Quad{0x1p-70});
  }
}

TEST_CASE("what is far below the greater number does not count") {
  const WideNumber one(std::uint64_t{1});
  REQUIRE(static_cast<Quad>(one - one.scaled(-200)) == 1);
  REQUIRE(static_cast<Quad>(one.scaled(-200) - one) == -1);
  REQUIRE(static_cast<Quad>(one - one.scaled(-100)) == Quad{1} - Quad{0x1p-100});
  REQUIRE((WideNumber() * one).is_zero());
  REQUIRE(static_cast<Quad>(WideNumber() - one) == -1);
  REQUIRE_FALSE(WideNumber(true, 0, 5).is_negative());
}

TEST_CASE("a product's bits are those of 256, cut") {
  const WideNumber::Mantissa ones = ~WideNumber::Mantissa{0};
  // (2^128 - 1)^2 = 2^256 - 2^129 + 1.
  const WideNumber all(false, ones, 0);
  const WideNumber expected(false, ones - 1, 128);
  REQUIRE((all * all - expected).is_zero());
  // 2^127 x 2^127 has a leading zero among 256 bits.
  const WideNumber top(false, WideNumber::Mantissa{1} << 127, 0);
  REQUIRE(static_cast<Quad>((top * top).scaled(-254)) == 1);
}
