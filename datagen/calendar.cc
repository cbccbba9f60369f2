#include "datagen/calendar.h"

#include <algorithm>
#include <chrono>

namespace hdbench::datagen {
namespace {

using std::chrono::sys_days;
using std::chrono::weekday;
using std::chrono::year;
using std::chrono::year_month_day;
using namespace std::chrono_literals;

constexpr sys_days kEpoch{2000y / 1 / 1};
constexpr year kFirstJuneteenth = 2022y;

// Gregorian Easter, by Gauss's rule in the form of Meeus, Jones and Butcher.
sys_days easter(year in) {
  const int y = static_cast<int>(in);
  const int a = y % 19, b = y / 100, c = y % 100;
  const int g = (8 * b + 13) / 25;
  const int h = (19 * a + b - b / 4 - g + 15) % 30;
  const int l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
  const int m = (a + 11 * h + 22 * l) / 451;
  const int n = h + l - 7 * m + 114;
  return in / static_cast<unsigned>(n / 31) / static_cast<unsigned>(n % 31 + 1);
}

sys_days observed(sys_days holiday) {
  const weekday on{holiday};
  if (on == std::chrono::Sunday) return holiday + std::chrono::days{1};
  if (on == std::chrono::Saturday) return holiday - std::chrono::days{1};
  return holiday;
}

bool is_holiday(sys_days day) {
  using namespace std::chrono;
  const year in = year_month_day{day}.year();
  const sys_days new_year{in / January / 1};
  if (day == new_year) return true;
  if (weekday{new_year} == Sunday && day == new_year + std::chrono::days{1}) return true;
  return day == sys_days{in / January / Monday[3]} ||   // Martin Luther King
         day == sys_days{in / February / Monday[3]} ||  // Presidents
         day == easter(in) - std::chrono::days{2} ||    // Good Friday
         day == sys_days{in / May / Monday[last]} ||    // Memorial
         (in >= kFirstJuneteenth && day == observed(in / June / 19)) ||
         day == observed(in / July / 4) || day == sys_days{in / September / Monday[1]} ||  // Labor
         day == sys_days{in / November / Thursday[4]} ||  // Thanksgiving
         day == observed(in / December / 25);
}

}  // namespace

std::int32_t date_of(int year_number, unsigned month, unsigned day) {
  const sys_days civil = year{year_number} / month / day;
  return static_cast<std::int32_t>((civil - kEpoch).count());
}

bool is_trading_day(std::int32_t date) {
  const sys_days day = kEpoch + std::chrono::days{date};
  const weekday on{day};
  return on != std::chrono::Saturday && on != std::chrono::Sunday && !is_holiday(day);
}

std::vector<std::int32_t> trading_days(std::int32_t first, std::int32_t last) {
  std::vector<std::int32_t> found;
  for (std::int32_t date = first; date <= last; ++date) {
    if (is_trading_day(date)) found.push_back(date);
  }
  return found;
}

std::vector<std::int32_t> trading_days_before(std::int32_t date, std::size_t count) {
  std::vector<std::int32_t> found;
  while (found.size() < count) {
    if (is_trading_day(--date)) found.push_back(date);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace hdbench::datagen
