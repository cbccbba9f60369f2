#include <cmath>
#include <limits>

#include "engine/operator/aggregator.h"
#include "engine/operator/exact_sum.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

double plain_float_sum(const PackedValues& values, const std::vector<std::size_t>& members) {
  ExactSum sum;
  for (const std::size_t row : members) {
    if (!values.is_null(row)) sum.add(values.number(row));
  }
  return sum.rounded();
}

double plain_float_average(const PackedValues& values, const std::vector<std::size_t>& members) {
  std::size_t count = 0;
  for (const std::size_t row : members) count += values.is_null(row) ? 0 : 1;
  if (count == 0) return std::nan("");
  return plain_float_sum(values, members) / static_cast<double>(count);
}

}  // namespace

TEST_CASE("sums of floats lose nothing to cancellation and round once") {
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE(result_of(one_group({1e100, 1, -1e100}), Aggregate::kSum) == 1);
  REQUIRE(result_of(one_group({0.1, 0.2, -0.3}), Aggregate::kSum) == 0x1p-55);
  REQUIRE(result_of(one_group({5e-324, 5e-324}), Aggregate::kSum) == 1e-323);
  REQUIRE(result_of(one_group({1e308, 1e308, -1e308}), Aggregate::kSum) == 1e308);
  REQUIRE(result_of(one_group({1, infinity}), Aggregate::kSum) == infinity);
  REQUIRE(std::isnan(result_of(one_group({-infinity, infinity}), Aggregate::kSum)));
}

TEST_CASE("many values of all their bits cancel") {
  std::mt19937_64 random(7);
  std::vector<double> numbers = cancelling_doubles(300000, random);
  numbers.push_back(0x1p-60);
  REQUIRE(result_of(one_group(numbers), Aggregate::kSum) == 0x1p-60);
}

TEST_CASE("sums and averages of floats are exact for every type and number of groups") {
  for (const std::size_t groups : kGroupCounts) {
    for (const QType type : kFloatTypes) {
      std::mt19937_64 random(groups + static_cast<std::size_t>(type));
      const GroupedRows rows = adversarial_rows(type, groups, random);
      const auto sum = [&](const auto& members) { return plain_float_sum(rows.values, members); };
      const auto real_sum = [&](const auto& members) { return static_cast<float>(sum(members)); };
      if (type == QType::kReal)
        check_groups<float>(rows, aggregate_of(Aggregate::kSum, type), random, real_sum);
      if (type != QType::kReal)
        check_groups<double>(rows, aggregate_of(Aggregate::kSum, type), random, sum);
      check_groups<double>(
          rows, aggregate_of(Aggregate::kAvg, type), random,
          [&](const auto& members) { return plain_float_average(rows.values, members); });
    }
  }
}
