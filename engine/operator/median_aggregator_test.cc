#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/operator/aggregator.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

MakeAggregator median_of(QType type) {
  return [=](std::pmr::memory_resource& resource) { return make_median(type, resource); };
}

double result_of(const std::vector<double>& numbers) {
  PackedValues values{QType::kFloat, {}};
  for (const double number : numbers) values.push_back(number);
  const GroupedRows rows{values, {}, std::vector<std::uint32_t>(numbers.size(), 0), 1};
  FedAggregator fed(rows, median_of(QType::kFloat));
  fed.take_batch(0, numbers.size(), true);
  return load_element<double>(fed.results(sizeof(double)).data());
}

double plain_median(const PackedValues& values, const std::vector<std::size_t>& members) {
  std::vector<double> numbers;
  for (const std::size_t row : members) {
    if (!values.is_null(row)) numbers.push_back(values.number(row));
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.insert(numbers.begin(), members.size() - numbers.size(), std::nan(""));
  if (numbers.empty()) return std::nan("");
  const std::size_t half = numbers.size() / 2;
  const bool is_alone = numbers.size() % 2 != 0 || std::isnan(numbers[half - 1]);
  return is_alone ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

}  // namespace

TEST_CASE("the median of nothing and of nulls is null") {
  REQUIRE(std::isnan(result_of({})));
  REQUIRE(std::isnan(result_of({std::nan(""), std::nan("")})));
}

TEST_CASE("a median is the middle value, or the mean of the middle two") {
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE(result_of({5, 1, 3}) == 3);
  REQUIRE(result_of({4, 1, 3, 2}) == 2.5);
  REQUIRE(result_of({-infinity, 7, infinity}) == 7);
  REQUIRE(std::isnan(result_of({-infinity, infinity})));
  REQUIRE(result_of({5e-324, 5e-324, 1}) == 5e-324);
  REQUIRE_FALSE(std::signbit(result_of({-0.0, 0.0, -0.0})));
}

TEST_CASE("nulls come first and count, but the mean of the middle two leaves them out") {
  const double null = std::nan("");
  REQUIRE(result_of({null, 2, 1}) == 1);
  REQUIRE(result_of({1, null}) == 1);
  REQUIRE(result_of({null, 5, 1, 3}) == 2);
  REQUIRE(std::isnan(result_of({null, 7, null})));
}

TEST_CASE("medians are those of the sorted values, for every type and number of groups") {
  for (const std::size_t groups : kGroupCounts) {
    for (const QType type : kNumberTypes) {
      std::mt19937_64 random(groups + static_cast<std::size_t>(type));
      GroupedRows rows{adversarial_values(type, rows_for(groups), random), {}, {}, groups};
      rows.groups = random_groups(rows_for(groups), groups, random);
      check_groups<double>(rows, median_of(type), random,
                           [&](const auto& members) { return plain_median(rows.values, members); });
    }
  }
}
