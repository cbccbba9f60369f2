#include <cstdint>

#include "engine/operator/aggregator.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

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
