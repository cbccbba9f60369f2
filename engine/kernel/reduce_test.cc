#include "engine/kernel/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/order_keys.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

__extension__ typedef __int128 Int128;

constexpr QType kTypes[] = {QType::kBoolean, QType::kShort, QType::kInt,
                            QType::kLong,    QType::kReal,  QType::kFloat};

// Bits of which about `percent` are set; none at all represents all rows.
std::vector<std::uint64_t> some_bits(std::mt19937_64& random, std::size_t rows, unsigned percent) {
  std::vector<std::uint64_t> bits(words_for(rows));
  for (std::size_t row = 0; row < rows; ++row) {
    if (random() % 100 < percent) bits[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
  }
  return bits;
}

// Elements whose bytes are random, among them nulls, infinities and the extremes.
std::vector<std::byte> some_values(std::mt19937_64& random, QType type, std::size_t rows) {
  const std::int64_t keys[] = {std::numeric_limits<std::int64_t>::min(),
                               positive_infinity_key(type), negative_infinity_key(type), 0};
  const std::size_t width = type_width(type);
  std::vector<std::byte> values(rows * width + 1);
  for (std::size_t row = 0; row < rows; ++row) {
    std::byte* const element = values.data() + row * width;
    if (random() % 9 == 0 && type != QType::kBoolean) {
      from_order_key(type, keys[random() % 4], element);
    } else {
      const std::uint64_t bits = random() >> (random() % 64);
      std::memcpy(element, &bits, width);
    }
  }
  return values;
}

// Plain loops over order keys.
struct Expected {
  Int128 total = 0;
  std::uint64_t nulls = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

Expected expected_of(QType type, const std::vector<std::byte>& values, std::size_t rows,
                     const std::vector<std::uint64_t>& bits) {
  std::vector<std::int64_t> keys(rows);
  to_order_keys(type, values.data(), rows, keys.data());
  Expected expected{0, 0, positive_infinity_key(type), negative_infinity_key(type)};
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_in(bits, row)) continue;
    if (keys[row] == std::numeric_limits<std::int64_t>::min()) {
      ++expected.nulls;
      continue;
    }
    expected.total += keys[row];
    expected.lowest = std::min(expected.lowest, keys[row]);
    expected.highest = std::max(expected.highest, keys[row]);
  }
  return expected;
}

template <typename Check>
void on_many_blocks(const Check& check) {
  on_every_target([&] {
    std::mt19937_64 random(36);
    for (const QType type : kTypes) {
      for (const std::size_t rows : {0, 1, 63, 64, 65, 128, 1000, 4096}) {
        for (const unsigned percent : {0u, 1u, 10u, 50u, 90u, 100u}) {
          const auto values = some_values(random, type, rows);
          const auto bits = rows % 2 == 0 && percent == 100 ? std::vector<std::uint64_t>()
                                                            : some_bits(random, rows, percent);
          INFO(type_name(type) << ", " << rows << " rows, " << percent << " percent");
          check(type, values, rows, bits);
        }
      }
    }
  });
}

}  // namespace

TEST_CASE("the least and the greatest are those of the order keys, nulls left out") {
  on_many_blocks([](QType type, const auto& values, std::size_t rows, const auto& bits) {
    const Expected expected = expected_of(type, values, rows, bits);
    const ValueBlock block{values.data(), rows, bits.empty() ? nullptr : bits.data()};
    REQUIRE(lowest_key(type, block) == expected.lowest);
    REQUIRE(highest_key(type, block) == expected.highest);
  });
}

TEST_CASE("totals of integers are exact beyond 64 bits, and their nulls are counted") {
  on_many_blocks([](QType type, const auto& values, std::size_t rows, const auto& bits) {
    if (is_floating(type)) return;
    const Expected expected = expected_of(type, values, rows, bits);
    const IntegerTotal total =
        integer_total(type, {values.data(), rows, bits.empty() ? nullptr : bits.data()});
    REQUIRE(total.nulls == expected.nulls);
    REQUIRE(Int128{total.high} * (Int128{1} << 32) + total.low == expected.total);
  });
}

TEST_CASE("the lanes of narrow sums hold the largest block") {
  on_every_target([] {
    const std::vector<std::int16_t> most(kReducedRowsMax, std::numeric_limits<std::int16_t>::max());
    const IntegerTotal total = integer_total(
        QType::kShort, {reinterpret_cast<const std::byte*>(most.data()), most.size(), nullptr});
    REQUIRE(total.high == 0);
    REQUIRE(total.low == std::uint64_t{kReducedRowsMax} * 32767);
  });
}

TEST_CASE("what is widened is what to_doubles makes, NaN for nulls") {
  on_many_blocks([](QType type, const auto& values, std::size_t rows, const auto&) {
    std::vector<double> found(rows);
    std::vector<double> expected(rows);
    widen_to_doubles(type, values.data(), rows, found.data());
    to_doubles(type, values.data(), rows, expected.data());
    for (std::size_t row = 0; row < rows; ++row) {
      const bool both_null = std::isnan(found[row]) && std::isnan(expected[row]);
      REQUIRE((both_null || found[row] == expected[row]));
    }
  });
}
