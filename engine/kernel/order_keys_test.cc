#include "engine/kernel/order_keys.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

template <typename T>
std::vector<std::int64_t> keys_of(QType type, const std::vector<T>& values) {
  std::vector<std::int64_t> keys(values.size());
  to_order_keys(type, reinterpret_cast<const std::byte*>(values.data()), values.size(),
                keys.data());
  return keys;
}

template <typename T>
void check_round_trip(QType type, const std::vector<T>& rising) {
  const auto keys = keys_of(type, rising);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i != 0) REQUIRE(keys[i - 1] < keys[i]);
    T back;
    from_order_key(type, keys[i], reinterpret_cast<std::byte*>(&back));
    REQUIRE(std::memcmp(&back, &rising[i], sizeof(T)) == 0);
  }
}

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("keys of nothing are nothing") {
  REQUIRE(keys_of<std::int32_t>(QType::kInt, {}).empty());
}

TEST_CASE("keys rise as q's values do and lead back to them") {
  check_round_trip<std::int64_t>(QType::kLong, {kNullLong, -5, 0, 7, INT64_MAX});
  check_round_trip<std::int32_t>(QType::kDate, {kNullInt, -1, 0, 7311, INT32_MAX});
  check_round_trip<std::int16_t>(QType::kShort, {kNullShort, -1, 0, INT16_MAX});
  check_round_trip<std::uint8_t>(QType::kChar, {0, 32, 65, 255});
  check_round_trip<double>(QType::kFloat,
                           {std::nan(""), -kInf, -2.5, -5e-324, 0.0, 5e-324, 1.0, kInf});
  check_round_trip<float>(QType::kReal, {-2.5F, 0.0F, 1.5F});
}

TEST_CASE("a null's key is the lowest of all whatever the width, and -0 is 0") {
  REQUIRE(keys_of<std::int16_t>(QType::kShort, {kNullShort})[0] == INT64_MIN);
  REQUIRE(keys_of<float>(QType::kReal, {std::nanf("")})[0] == INT64_MIN);
  REQUIRE(keys_of<double>(QType::kFloat, {-0.0})[0] == 0);
}

TEST_CASE("doubles of nulls are NaN") {
  const std::array<std::int32_t, 2> values = {kNullInt, 3};
  std::array<double, 2> doubles{};
  to_doubles(QType::kInt, reinterpret_cast<const std::byte*>(values.data()), 2, doubles.data());
  REQUIRE(std::isnan(doubles[0]));
  REQUIRE(doubles[1] == 3.0);
}

TEST_CASE("narrow codes widen without a sign") {
  const std::array<std::int32_t, 2> codes = {-1, 3};
  std::array<std::uint64_t, 2> words{};
  to_words(4, reinterpret_cast<const std::byte*>(codes.data()), 2, words.data());
  REQUIRE(words[0] == 0xffffffff);
  REQUIRE(words[1] == 3);
}

TEST_CASE("the infinities are q's, one short of the null on the negative side") {
  REQUIRE(positive_infinity_key(QType::kLong) == INT64_MAX);
  REQUIRE(negative_infinity_key(QType::kLong) == -INT64_MAX);
  REQUIRE(negative_infinity_key(QType::kInt) == -INT32_MAX);
  REQUIRE(negative_infinity_key(QType::kByte) == 0);
}
