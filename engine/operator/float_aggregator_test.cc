#include <cmath>
#include <limits>

#include "engine/operator/aggregator.h"
#include "engine/operator/exact_sum.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

MakeAggregator sum_of(QType type) {
  return [=](std::pmr::memory_resource& resource) { return make_float_sum(type, resource); };
}
MakeAggregator average_of(QType type) {
  return [=](std::pmr::memory_resource& resource) { return make_float_average(type, resource); };
}

// Its one group's result, of one batch.
double result_of(const std::vector<double>& numbers, const MakeAggregator& make) {
  PackedValues values{QType::kFloat, {}};
  for (const double number : numbers) values.push_back(number);
  const GroupedRows rows{values, {}, std::vector<std::uint32_t>(numbers.size(), 0), 1};
  FedAggregator fed(rows, make);
  fed.take_batch(0, numbers.size(), true);
  return load_element<double>(fed.results(sizeof(double)).data());
}

double plain_sum(const PackedValues& values, const std::vector<std::size_t>& members) {
  ExactSum sum;
  for (const std::size_t row : members) {
    if (!values.is_null(row)) sum.add(values.number(row));
  }
  return sum.rounded();
}

double plain_average(const PackedValues& values, const std::vector<std::size_t>& members) {
  std::size_t count = 0;
  for (const std::size_t row : members) count += values.is_null(row) ? 0 : 1;
  if (count == 0) return std::nan("");
  return plain_sum(values, members) / static_cast<double>(count);
}

}  // namespace

TEST_CASE("the sum of no floats is 0, their average null") {
  const double null = std::nan("");
  REQUIRE(result_of({}, sum_of(QType::kFloat)) == 0);
  REQUIRE(result_of({null, null}, sum_of(QType::kFloat)) == 0);
  REQUIRE(std::isnan(result_of({}, average_of(QType::kFloat))));
  REQUIRE(std::isnan(result_of({null, null}, average_of(QType::kFloat))));
  REQUIRE(result_of({1, null, 2}, average_of(QType::kFloat)) == 1.5);
}

TEST_CASE("sums of floats lose nothing to cancellation and round once") {
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE(result_of({1e100, 1, -1e100}, sum_of(QType::kFloat)) == 1);
  REQUIRE(result_of({0.1, 0.2, -0.3}, sum_of(QType::kFloat)) == 0x1p-55);
  REQUIRE(result_of({5e-324, 5e-324}, sum_of(QType::kFloat)) == 1e-323);
  REQUIRE(result_of({1e308, 1e308, -1e308}, sum_of(QType::kFloat)) == 1e308);
  REQUIRE(result_of({1, infinity}, sum_of(QType::kFloat)) == infinity);
  REQUIRE(std::isnan(result_of({-infinity, infinity}, sum_of(QType::kFloat))));
}

TEST_CASE("many values of all their bits cancel") {
  std::mt19937_64 random(7);
  std::vector<double> numbers = cancelling_doubles(300000, random);
  numbers.push_back(0x1p-60);
  REQUIRE(result_of(numbers, sum_of(QType::kFloat)) == 0x1p-60);
}

TEST_CASE("sums and averages of floats are exact for every type and number of groups") {
  for (const std::size_t groups : kGroupCounts) {
    for (const QType type : kFloatTypes) {
      std::mt19937_64 random(groups + static_cast<std::size_t>(type));
      GroupedRows rows{adversarial_values(type, rows_for(groups), random), {}, {}, groups};
      rows.groups = random_groups(rows_for(groups), groups, random);
      const auto sum = [&](const auto& members) { return plain_sum(rows.values, members); };
      const auto real_sum = [&](const auto& members) { return static_cast<float>(sum(members)); };
      if (type == QType::kReal) check_groups<float>(rows, sum_of(type), random, real_sum);
      if (type != QType::kReal) check_groups<double>(rows, sum_of(type), random, sum);
      check_groups<double>(rows, average_of(type), random, [&](const auto& members) {
        return plain_average(rows.values, members);
      });
    }
  }
}
