#include "engine/operator/aggregator.h"

#include <memory_resource>

#include "engine/base/catch.h"

using namespace hdbench;

TEST_CASE("what has no order or no sum is refused") {
  REQUIRE_FALSE(aggregate_takes(Aggregate::kSum, QType::kSymbol));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kMax, QType::kGuid));
  REQUIRE(aggregate_takes(Aggregate::kAvg, QType::kChar));
  REQUIRE_FALSE(aggregate_takes(Aggregate::kMed, QType::kChar));
  REQUIRE(aggregate_takes(Aggregate::kLast, QType::kNested));
  REQUIRE(aggregate_takes(Aggregate::kMax, QType::kChar));
  REQUIRE(aggregate_takes(Aggregate::kSum, QType::kChar));
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
