#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/operator/aggregator.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Unsigned128;

// sum / count rounded once: as many of the quotient's bits as there are, the last one standing for
// the rest. Requires: |sum| < 2^100, count < 2^28.
double plain_quotient(Int128 sum, std::uint64_t count) {
  if (count == 0) return std::nan("");
  if (sum == 0) return 0;
  auto magnitude = static_cast<Unsigned128>(sum < 0 ? -sum : sum);
  int shift = 0;
  for (; magnitude >> 126 == 0; ++shift) magnitude <<= 1;
  const Unsigned128 quotient = magnitude / count | (magnitude % count == 0 ? 0u : 1u);
  const double result = std::ldexp(static_cast<double>(quotient), -shift);
  return sum < 0 ? -result : result;
}

double plain_average(const PackedValues& values, const std::vector<std::size_t>& members) {
  Int128 sum = 0;
  std::uint64_t count = 0;
  for (const std::size_t row : members) {
    if (values.is_null(row)) continue;
    sum += values.integer(row);
    ++count;
  }
  return plain_quotient(sum, count);
}

// The low bits of the sum: it wraps.
template <typename T>
T plain_sum(const PackedValues& values, const std::vector<std::size_t>& members) {
  Int128 sum = 0;
  for (const std::size_t row : members) sum += values.is_null(row) ? 0 : values.integer(row);
  return static_cast<T>(sum);
}

template <typename T>
T sum_of_two(QType type, T a, T b) {
  PackedValues values{type, {}};
  values.push_back(a);
  values.push_back(b);
  const GroupedRows rows{values, {}, {0, 0}, 1};
  FedAggregator fed(rows, aggregate_of(Aggregate::kSum, type));
  fed.take_batch(0, 2, false);
  return load_element<T>(fed.results(sizeof(T)).data());
}

}  // namespace

TEST_CASE("the sum of no integers is 0, their average null") {
  PackedValues values{QType::kInt, {}};
  values.push_back(kNullInt);
  const GroupedRows rows{values, {}, {0}, 1};
  for (const std::size_t count : {0, 1}) {
    FedAggregator sum(rows, aggregate_of(Aggregate::kSum, QType::kInt));
    FedAggregator average(rows, aggregate_of(Aggregate::kAvg, QType::kInt));
    sum.take_batch(0, count, false);
    average.take_batch(0, count, false);
    REQUIRE(load_element<std::int64_t>(sum.results(8).data()) == 0);
    REQUIRE(std::isnan(load_element<double>(average.results(8).data())));
  }
}

TEST_CASE("sums of integers wrap as their type does") {
  REQUIRE(sum_of_two<std::int64_t>(QType::kLong, INT64_MAX, 1) == INT64_MIN);
  REQUIRE(sum_of_two<std::int64_t>(QType::kTimespan, -INT64_MAX, -INT64_MAX) == 2);
  REQUIRE(sum_of_two<std::int32_t>(QType::kTime, INT32_MAX, INT32_MAX) == -2);
}

TEST_CASE("sums of ints are longs") {
  PackedValues values{QType::kInt, {}};
  for (const std::int32_t value : {INT32_MAX, 1}) values.push_back(value);
  const GroupedRows rows{values, {}, {0, 0}, 1};
  FedAggregator fed(rows, aggregate_of(Aggregate::kSum, QType::kInt));
  fed.take_batch(0, 2, false);
  REQUIRE(load_element<std::int64_t>(fed.results(8).data()) == 2147483648);
}

TEST_CASE("sums that wrap are counted") {
  auto& resource = *std::pmr::new_delete_resource();
  const auto sum = make_integer_sum(Aggregate::kSum, QType::kTime, resource);
  sum->resize(2);
  const std::int32_t values[] = {INT32_MAX, 1, 5};
  const std::uint32_t groups[] = {0, 0, 1};
  sum->update({3, groups, reinterpret_cast<const std::byte*>(values), nullptr, 3, 0, 2});
  std::int32_t results[2];
  sum->finish(std::vector<std::uint32_t>{0, 1}, {}, reinterpret_cast<std::byte*>(results));
  REQUIRE(results[0] == INT32_MIN);
  REQUIRE(results[1] == 5);
  REQUIRE(sum->wrapped() == 1);
}

TEST_CASE("a quotient is rounded once") {
  REQUIRE(plain_quotient(Int128{1}, 3) == 1.0 / 3);
  REQUIRE(plain_quotient(Int128{-7}, 2) == -3.5);
  REQUIRE(plain_quotient(Int128{INT64_MAX} * 2 - 2, 2) == 0x1p63);
  REQUIRE(plain_quotient((Int128{1} << 53) + 1, 1) == 0x1p53);
  REQUIRE(plain_quotient((Int128{1} << 54) + 3, 2) == 0x1p53 + 2);
}

TEST_CASE("sums and averages of integers are exact for every type and number of groups") {
  for (const std::size_t groups : kGroupCounts) {
    for (const QType type : kIntegerTypes) {
      std::mt19937_64 random(groups + static_cast<std::size_t>(type));
      const GroupedRows rows = adversarial_rows(type, groups, random);
      if (type_width(aggregate_type(Aggregate::kSum, type)) == 8) {
        check_groups<std::int64_t>(
            rows, aggregate_of(Aggregate::kSum, type), random,
            [&](const auto& members) { return plain_sum<std::int64_t>(rows.values, members); });
      } else {
        check_groups<std::int32_t>(
            rows, aggregate_of(Aggregate::kSum, type), random,
            [&](const auto& members) { return plain_sum<std::int32_t>(rows.values, members); });
      }
      check_groups<double>(
          rows, aggregate_of(Aggregate::kAvg, type), random,
          [&](const auto& members) { return plain_average(rows.values, members); });
    }
  }
}
