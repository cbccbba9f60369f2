#include "engine/operator/aggregator.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();

// The aggregate of one group's values, fed in two halves through two aggregators that are merged.
template <typename T, typename R>
R aggregate(Aggregate kind, QType type, const std::vector<T>& values,
            const std::vector<double>& weights = {}) {
  auto& resource = *std::pmr::new_delete_resource();
  std::array<std::unique_ptr<Aggregator>, 2> halves;
  const std::vector<std::uint32_t> groups(values.size(), 0);
  const std::size_t middle = values.size() / 2;
  for (std::size_t half = 0; half < 2; ++half) {
    halves[half] = make_aggregator(kind, type, QType::kFloat, resource);
    halves[half]->resize(1);
    const std::size_t start = half == 0 ? 0 : middle;
    const std::size_t end = half == 0 ? middle : values.size();
    const auto* const data = reinterpret_cast<const std::byte*>(values.data() + start);
    const auto* const its_weights =
        weights.empty() ? nullptr : reinterpret_cast<const std::byte*>(weights.data() + start);
    if (half == 0) {
      halves[half]->update({end - start, groups.data(), data, its_weights, end - start, 0, 1});
    } else {
      halves[half]->update_run({0, end - start, nullptr, data, its_weights});
    }
  }
  const std::uint32_t zero[] = {0};
  const std::uint64_t row_counts[] = {values.size()};
  halves[0]->merge(*halves[1], zero);
  R result;
  halves[0]->finish(zero, row_counts, reinterpret_cast<std::byte*>(&result));
  return result;
}

double of_floats(Aggregate kind, const std::vector<double>& values) {
  return aggregate<double, double>(kind, QType::kFloat, values);
}

}  // namespace

TEST_CASE("aggregates of nothing are q's") {
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE(of_floats(Aggregate::kSum, {}) == 0);
  REQUIRE(of_floats(Aggregate::kMax, {}) == -infinity);
  REQUIRE(of_floats(Aggregate::kMin, {}) == infinity);
  REQUIRE(std::isnan(of_floats(Aggregate::kAvg, {})));
  REQUIRE(std::isnan(of_floats(Aggregate::kDev, {})));
  REQUIRE(std::isnan(of_floats(Aggregate::kMed, {})));
  REQUIRE(aggregate<std::int64_t, std::int64_t>(Aggregate::kMin, QType::kLong, {}) == INT64_MAX);
  REQUIRE(aggregate<std::int64_t, std::int64_t>(Aggregate::kMax, QType::kLong, {}) == -INT64_MAX);
}

TEST_CASE("nulls are left out") {
  REQUIRE(of_floats(Aggregate::kSum, {1, kNull, 2}) == 3);
  REQUIRE(of_floats(Aggregate::kAvg, {1, kNull, 2}) == 1.5);
  REQUIRE(of_floats(Aggregate::kMin, {kNull, 5}) == 5);
  REQUIRE(of_floats(Aggregate::kMed, {kNull, 5, 1, 3}) == 3);
  REQUIRE(aggregate<std::int32_t, double>(Aggregate::kAvg, QType::kInt, {kNullInt, 3, 4}) == 3.5);
}

TEST_CASE("a median of even count is the mean of the middle two") {
  REQUIRE(of_floats(Aggregate::kMed, {4, 1, 3, 2}) == 2.5);
}

TEST_CASE("dev is the population's and does not cancel") {
  REQUIRE(of_floats(Aggregate::kDev, {2, 4, 4, 4, 5, 5, 7, 9}) == 2);
  REQUIRE(of_floats(Aggregate::kDev, {1e9 + 1, 1e9 + 2, 1e9 + 3}) == std::sqrt(2.0 / 3.0));
  REQUIRE(of_floats(Aggregate::kDev, {0.1, 0.1, 0.1}) == 0);
}

TEST_CASE("wavg leaves out pairs with a null on either side") {
  const double result = aggregate<double, double>(Aggregate::kWavg, QType::kFloat,
                                                  {10, kNull, 30, 40}, {1, 5, 3, kNull});
  REQUIRE(result == 25);
}

TEST_CASE("sums of longs wrap, sums of narrow integers are ints") {
  REQUIRE(aggregate<std::int64_t, std::int64_t>(Aggregate::kSum, QType::kLong, {INT64_MAX, 1}) ==
          INT64_MIN);
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kBoolean) == QType::kInt);
  REQUIRE(aggregate<std::uint8_t, std::int32_t>(Aggregate::kSum, QType::kBoolean, {1, 1, 0}) == 2);
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kTimespan) == QType::kTimespan);
}

TEST_CASE("the average of longs is exact where their sum overflows") {
  REQUIRE(
      aggregate<std::int64_t, double>(Aggregate::kAvg, QType::kLong, {INT64_MAX, INT64_MAX - 2}) ==
      static_cast<double>(INT64_MAX - 1));
}

TEST_CASE("what has no order or no sum is refused") {
  REQUIRE_FALSE(aggregate_takes(Aggregate::kSum, QType::kSymbol));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kMax, QType::kGuid));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kAvg, QType::kChar));
  REQUIRE(aggregate_takes(Aggregate::kLast, QType::kNested));
  REQUIRE(aggregate_takes(Aggregate::kMax, QType::kChar));
}
