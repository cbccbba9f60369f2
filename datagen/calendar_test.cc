#include "datagen/calendar.h"

#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("a range without trading days gives none") {
  CHECK(trading_days(date_of(2020, 1, 18), date_of(2020, 1, 20)).empty());
  CHECK(trading_days(date_of(2020, 1, 2), date_of(2020, 1, 1)).empty());
  CHECK(trading_days_before(date_of(2020, 1, 2), 0).empty());
}

TEST_CASE("dates count from 2000.01.01") {
  CHECK(date_of(2000, 1, 1) == 0);
  CHECK(date_of(2020, 1, 7) == 7311);
}

TEST_CASE("the paper's range holds 62 trading days, 20 of them in January") {
  const auto all = trading_days(date_of(2019, 11, 1), date_of(2020, 1, 31));
  CHECK(all.size() == 62);
  CHECK(all.front() == date_of(2019, 11, 1));
  CHECK(all.back() == date_of(2020, 1, 31));
  CHECK(trading_days(date_of(2020, 1, 3), date_of(2020, 1, 31)).size() == 20);
  for (const auto closed :
       {date_of(2019, 11, 28), date_of(2019, 12, 25), date_of(2020, 1, 1), date_of(2020, 1, 20)}) {
    CHECK_FALSE(is_trading_day(closed));
  }
}

TEST_CASE("a year has the exchange's published number of trading days") {
  const auto count = [](int year) {
    return trading_days(date_of(year, 1, 1), date_of(year, 12, 31)).size();
  };
  CHECK(count(2015) == 252);
  CHECK(count(2017) == 251);
  CHECK(count(2019) == 252);
  CHECK(count(2020) == 253);
  CHECK(count(2022) == 251);
  CHECK(count(2023) == 250);
}

TEST_CASE("Good Friday follows Easter") {
  CHECK_FALSE(is_trading_day(date_of(2017, 4, 14)));
  CHECK_FALSE(is_trading_day(date_of(2018, 3, 30)));
  CHECK_FALSE(is_trading_day(date_of(2019, 4, 19)));
  CHECK(is_trading_day(date_of(2019, 4, 22)));
}

TEST_CASE("a holiday on a weekend is kept on the nearest weekday, but not New Year's Saturday") {
  CHECK_FALSE(is_trading_day(date_of(2017, 1, 2)));    // New Year on a Sunday
  CHECK_FALSE(is_trading_day(date_of(2015, 7, 3)));    // Independence Day on a Saturday
  CHECK_FALSE(is_trading_day(date_of(2016, 12, 26)));  // Christmas on a Sunday
  CHECK(is_trading_day(date_of(2021, 12, 31)));        // New Year 2022 on a Saturday
  CHECK(is_trading_day(date_of(2019, 6, 19)));
  CHECK_FALSE(is_trading_day(date_of(2022, 6, 20)));  // Juneteenth on a Sunday
}

TEST_CASE("days before a date go back over weekends and holidays") {
  const auto before = trading_days_before(date_of(2020, 1, 2), 2);
  CHECK(before == std::vector<std::int32_t>{date_of(2019, 12, 30), date_of(2019, 12, 31)});
}

}  // namespace hdbench::datagen
