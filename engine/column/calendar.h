// The calendar: days since 2000.01.01, as kdb+ counts them, to and from year, month and day.
//
// Proleptic Gregorian, in 64 bits, so that no stored value overflows it.
#pragma once

#include <cstdint>

namespace hdbench {

struct CivilDate {
  std::int64_t year = 2000;
  int month = 1;  // 1..12
  int day = 1;    // 1..31
};

// Years begin in March here, so that the leap day is a year's last.
constexpr CivilDate civil_from_days(std::int64_t days) {
  constexpr std::int64_t kDaysFromMarch0000 = 730425;
  constexpr std::int64_t kDaysPerEra = 146097;
  const std::int64_t shifted = days + kDaysFromMarch0000;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - (kDaysPerEra - 1)) / kDaysPerEra;
  const std::int64_t day_of_era = shifted - era * kDaysPerEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const int month =
      static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

// Requires: a month of 1..12.
constexpr std::int64_t days_from_civil(CivilDate date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month_from_march = date.month > 2 ? date.month - 3 : date.month + 9;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 730425;
}

// Whether the calendar has this day.
constexpr bool is_civil_date(CivilDate date) {
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31) return false;
  const CivilDate back = civil_from_days(days_from_civil(date));
  return back.month == date.month && back.day == date.day;
}

static_assert(days_from_civil({2000, 1, 1}) == 0);
static_assert(days_from_civil({1970, 1, 1}) == -10957);
static_assert(civil_from_days(7311).year == 2020 && civil_from_days(7311).month == 1 &&
              civil_from_days(7311).day == 7);

}  // namespace hdbench
