#include "queries/temporal_word.h"

#include "engine/base/catch.h"

namespace hdbench::queries {

TEST_CASE("the shape of a word tells its type") {
  CHECK(temporal_type("2020.01.07") == QType::kDate);
  CHECK(temporal_type("2020.02.30") == QType::kDate);
  CHECK(temporal_type("2020.01m") == QType::kMonth);
  CHECK(temporal_type("2020.01.07D") == QType::kTimestamp);
  CHECK(temporal_type("2020.01.07D09:30:00.123456789") == QType::kTimestamp);
  CHECK(temporal_type("2020.01.07T09:30") == QType::kDatetime);
  CHECK(temporal_type("0D") == QType::kTimespan);
  CHECK(temporal_type("-1D01:00") == QType::kTimespan);
  CHECK(temporal_type("09:30") == QType::kMinute);
  CHECK(temporal_type("09:30:00") == QType::kSecond);
  CHECK(temporal_type("09:30:00.") == QType::kTime);
  CHECK(temporal_type("09:30:00.123") == QType::kTime);
  CHECK(temporal_type("09:30:00.1234") == QType::kTimespan);
}

TEST_CASE("other words are no date or time") {
  for (const char* word : {"",
                           "-",
                           "5",
                           "1.5",
                           "1e5",
                           "D",
                           "T",
                           "DD",
                           ":",
                           "::",
                           ":30",
                           "09:",
                           "9:3",
                           "09:30.5",
                           "1234:00",
                           "2020.01",
                           "2020.1.7",
                           "-2020.01.07",
                           "2020.01.07D9:3",
                           "2020.01.07DD",
                           "0T",
                           "0x1D",
                           "1.5D",
                           "-0D-1",
                           "09:30:00.1234567890"}) {
    INFO(word);
    CHECK_FALSE(temporal_type(word).has_value());
  }
}

TEST_CASE("leap days follow the calendar") {
  CHECK(read_temporal("2000.02.29", QType::kDate).ok());
  CHECK(read_temporal("1900.02.28", QType::kDate).ok());
  CHECK_FALSE(read_temporal("1900.02.29", QType::kDate).ok());
  CHECK(read_temporal("9999.12.31", QType::kDate).ok());
}

TEST_CASE("timestamps reach from 1707 to 2292") {
  CHECK(read_temporal("2292.04.10D23:47:16.854775806", QType::kTimestamp).ok());
  CHECK_FALSE(read_temporal("2292.04.10D23:47:16.854775807", QType::kTimestamp).ok());
  CHECK(read_temporal("1707.09.22D00:12:43.145224194", QType::kTimestamp).ok());
  CHECK_FALSE(read_temporal("1707.09.22D00:12:43.145224193", QType::kTimestamp).ok());
  CHECK_FALSE(read_temporal("1707.09.21D", QType::kTimestamp).ok());
}

TEST_CASE("timespans reach to 106751 days") {
  CHECK(read_temporal("106751D23:47:16.854775806", QType::kTimespan).ok());
  CHECK_FALSE(read_temporal("106751D23:47:16.854775807", QType::kTimespan).ok());
  CHECK_FALSE(read_temporal("596:31:23.648", QType::kTime).ok());
  CHECK(read_temporal("596:31:23.646", QType::kTime).ok());
}

}  // namespace hdbench::queries
