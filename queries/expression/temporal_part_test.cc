#include "queries/expression/temporal_part.h"

#include "engine/base/catch.h"

namespace hdbench::queries {

TEST_CASE("mm is the month of an instant and the minute of a span") {
  CHECK(temporal_part("mm", QType::kDate)->operation == Operation::kMonthOfYear);
  CHECK(temporal_part("mm", QType::kTimestamp)->operation == Operation::kMonthOfYear);
  CHECK(temporal_part("mm", QType::kTime)->operation == Operation::kMinuteOfHour);
  CHECK(temporal_part("uu", QType::kTimestamp)->operation == Operation::kMinuteOfHour);
}

TEST_CASE("a day has no hours and a time no year") {
  CHECK_FALSE(temporal_part("hh", QType::kDate));
  CHECK_FALSE(temporal_part("year", QType::kTime));
  CHECK_FALSE(temporal_part("minute", QType::kLong));
  CHECK(temporal_part("minute", QType::kTimestamp)->type == QType::kMinute);
  CHECK(temporal_part("hh", QType::kDatetime)->type == QType::kInt);
  CHECK(is_temporal_part("dd"));
  CHECK_FALSE(is_temporal_part("weekday"));
  CHECK_FALSE(is_temporal_part(""));
}

}  // namespace hdbench::queries
