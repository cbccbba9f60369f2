#include "datagen/day_counts.h"

#include <algorithm>
#include <numeric>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

template <class Pick>
std::uint64_t sum(const std::vector<DayCount>& days, std::int32_t from, Pick pick) {
  std::uint64_t total = 0;
  for (const DayCount& day : days) {
    if (day.date >= from) total += pick(day);
  }
  return total;
}

constexpr auto kRows = [](const DayCount& day) { return day.rows(); };
constexpr auto kSelected = [](const DayCount& day) { return day.selected; };

}  // namespace

TEST_CASE("a range without trading days gives none") {
  CHECK(trading_days(date_of(2020, 1, 18), date_of(2020, 1, 20)).empty());
  CHECK(trading_days(date_of(2020, 1, 2), date_of(2020, 1, 1)).empty());
  CHECK(trading_days_before(date_of(2020, 1, 2), 0).empty());
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

TEST_CASE("days differ, rise in date, and stay within a quarter of their month's mean") {
  const auto days = day_counts({});
  CHECK(std::is_sorted(days.begin(), days.end(), [](auto& a, auto& b) { return a.date < b.date; }));
  for (const DayCount& day : days) {
    const double mean = day.date < date_of(2020, 1, 3) ? 2.82e6 : 3.6e6;
    CHECK(static_cast<double>(day.selected) > 0.75 * mean);
    CHECK(static_cast<double>(day.selected) < 1.25 * mean);
    CHECK(day.others > 12000);
  }
  CHECK(days[0].selected != days[1].selected);
}

TEST_CASE("three years are 784 days that end with the paper's own") {
  const auto days = day_counts({.profile = Profile::kPaper3y});
  const auto paper = day_counts({});
  CHECK(days.size() == 784);
  CHECK(sum(days, 0, kRows) == 2163100445);
  CHECK(sum(days, date_of(2019, 11, 1), kSelected) == 189941620);
  CHECK(std::equal(paper.begin(), paper.end(), days.end() - 62, [](auto& a, auto& b) {
    return a.date == b.date && a.selected == b.selected && a.others == b.others;
  }));
}

TEST_CASE("taq has 20 days of about ten million rows") {
  const auto days = day_counts({.profile = Profile::kTaq});
  CHECK(days.size() == 20);
  CHECK(sum(days, 0, kRows) == 200000000);
  for (const DayCount& day : days) CHECK(day.others == 0);
}

TEST_CASE("a scale multiplies every count and rounds") {
  const auto whole = day_counts({});
  const auto tenth = day_counts({.scale = 0.1});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK(tenth[i].selected == (whole[i].selected + 5) / 10);
    CHECK(tenth[i].others == (whole[i].others + 5) / 10);
  }
}

TEST_CASE("the smallest scale keeps enough rows for every combination") {
  for (const DayCount& day : day_counts({.scale = 1e-12})) {
    CHECK(day.selected == kSelectedMin);
    CHECK(day.others == kOthersMin);
  }
}

}  // namespace hdbench::datagen
