#include "engine/operator/aggregator.h"

#include <bit>
#include <cstring>
#include <memory_resource>
#include <new>
#include <numeric>
#include <set>

#include "engine/base/catch.h"
#include "engine/testing/aggregator_checks.h"
#include "engine/testing/refusing_resource.h"

using namespace hdbench;

namespace {

// Two rows to each group: its number and 1, as doubles.
std::vector<double> results_of(Aggregate aggregate, std::size_t groups,
                               std::pmr::memory_resource& resource, ThreadPool* pool = nullptr) {
  const auto aggregator = make_aggregator(aggregate, QType::kFloat, QType::kFloat, resource);
  for (const std::size_t wanted : {std::size_t{3}, groups}) {
    try {
      aggregator->resize(wanted);
    } catch (const std::bad_alloc&) {
      aggregator->resize(wanted);
    }
  }
  std::vector<std::uint32_t> numbers;
  std::vector<double> values;
  for (std::uint32_t group = 0; group < groups; ++group) {
    numbers.insert(numbers.end(), {group, group});
    values.insert(values.end(), {static_cast<double>(group), 1});
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
  aggregator->update({values.size(), numbers.data(), bytes, bytes, 2, 0, groups});
  std::vector<std::uint32_t> order(groups);
  std::iota(order.begin(), order.end(), 0U);
  const std::vector<std::uint64_t> counts(groups, 2);
  std::vector<double> results(groups);
  finish_groups(*aggregator, order, counts, sizeof(results[0]),
                reinterpret_cast<std::byte*>(results.data()), pool);
  return results;
}

}  // namespace

TEST_CASE("an aggregator that found no space for its groups takes them when there is space") {
  for (const Aggregate aggregate : {Aggregate::kSum, Aggregate::kAvg, Aggregate::kMax,
                                    Aggregate::kDev, Aggregate::kWavg, Aggregate::kCov}) {
    for (const std::size_t groups : {40u, 5000u, 70'000u}) {
      const std::vector<double> expected =
          results_of(aggregate, groups, *std::pmr::new_delete_resource());
      for (int refused = 0;; ++refused) {
        testing::RefusingResource resource(refused);
        REQUIRE(results_of(aggregate, groups, resource) == expected);
        if (!resource.has_refused()) break;
      }
    }
  }
}

TEST_CASE("what has no order or no sum is refused") {
  REQUIRE_FALSE(aggregate_takes(Aggregate::kSum, QType::kSymbol));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kMax, QType::kGuid));
  REQUIRE(aggregate_takes(Aggregate::kAvg, QType::kChar));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kMed, QType::kChar));
  REQUIRE(aggregate_takes(Aggregate::kLast, QType::kNested));
  REQUIRE(aggregate_takes(Aggregate::kMax, QType::kChar));
  REQUIRE(aggregate_takes(Aggregate::kSum, QType::kChar));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kCor, QType::kSymbol));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kAny, QType::kLong));
  REQUIRE(aggregate_takes(Aggregate::kCountDistinct, QType::kGuid));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kCountDistinct, QType::kNested));
}

TEST_CASE("sums of integers and chars are longs, other sums and extremes have the column's type") {
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kBoolean) == QType::kLong);
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kInt) == QType::kLong);
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kChar) == QType::kLong);
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kTime) == QType::kTime);
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kTimespan) == QType::kTimespan);
  REQUIRE(aggregate_type(Aggregate::kSum, QType::kReal) == QType::kReal);
  REQUIRE(aggregate_type(Aggregate::kMin, QType::kShort) == QType::kShort);
  REQUIRE(aggregate_type(Aggregate::kAvg, QType::kInt) == QType::kFloat);
  REQUIRE(aggregate_type(Aggregate::kCount, QType::kGuid) == QType::kLong);
  REQUIRE(aggregate_type(Aggregate::kCountDistinct, QType::kGuid) == QType::kLong);
  REQUIRE(aggregate_type(Aggregate::kWsum, QType::kInt) == QType::kFloat);
  REQUIRE(aggregate_type(Aggregate::kAll, QType::kBoolean) == QType::kBoolean);
}

TEST_CASE("what needs row numbers only has no aggregator") {
  auto& resource = *std::pmr::new_delete_resource();
  for (const Aggregate aggregate : {Aggregate::kCount, Aggregate::kFirst, Aggregate::kLast})
    REQUIRE(make_aggregator(aggregate, QType::kGuid, QType::kLong, resource) == nullptr);
  for (const Aggregate aggregate :
       {Aggregate::kSum, Aggregate::kAvg, Aggregate::kMin, Aggregate::kMax, Aggregate::kWavg,
        Aggregate::kDev, Aggregate::kMed}) {
    for (const QType type : {QType::kShort, QType::kFloat})
      REQUIRE(make_aggregator(aggregate, type, QType::kLong, resource) != nullptr);
  }
}

TEST_CASE("groups that threads finish side by side have the results of one thread") {
  ThreadPool pool(3);
  for (const Aggregate aggregate :
       {Aggregate::kSum, Aggregate::kAvg, Aggregate::kMax, Aggregate::kDev, Aggregate::kWavg,
        Aggregate::kCor, Aggregate::kCountDistinct, Aggregate::kMed}) {
    auto& resource = *std::pmr::new_delete_resource();
    const auto bits = [](const std::vector<double>& results) {
      std::vector<std::uint64_t> words;
      for (const double result : results) words.push_back(std::bit_cast<std::uint64_t>(result));
      return words;
    };
    REQUIRE(bits(results_of(aggregate, 5000, resource, &pool)) ==
            bits(results_of(aggregate, 5000, resource)));
  }
}

TEST_CASE(
    "count distinct of codes is the same as bits, as hashes, and where one becomes the other") {
  for (const std::size_t groups : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    for (const std::uint64_t codes : {0, 100, 256, 1 << 22}) {
      std::mt19937_64 random(groups + static_cast<std::size_t>(codes));
      const std::size_t count = 20000;
      GroupedRows rows{adversarial_values(QType::kByte, count, random),
                       {},
                       random_groups(count, groups, random),
                       groups};
      const auto make = [&](std::pmr::memory_resource& resource) {
        return make_aggregator(Aggregate::kCountDistinct, QType::kByte, QType::kByte, resource,
                               codes);
      };
      check_groups<std::int64_t>(rows, make, random, [&](const auto& members) {
        std::set<std::int64_t> keys;
        for (const std::size_t row : members) keys.insert(rows.values.integer(row));
        return static_cast<std::int64_t>(keys.size());
      });
    }
  }
}
