#include "datagen/day_counts.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "datagen/random.h"

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

// The paper's table (docs/paper.md): three totals, of which one is a day's.
constexpr std::uint64_t kRowsAll = 191'113'021;
constexpr std::uint64_t kSelectedAll = 189'941'620;
constexpr std::uint64_t kSelectedJanuary = 71'643'220;  // 2020.01.03 to 2020.01.31
constexpr std::uint64_t kSelectedOneDay = 3'064'072;    // 2020.01.07

// The larger table. How many of its earlier rows are others is not published: as many in a thousand
// as in the smaller one, rounded.
constexpr std::uint64_t kRows3y = 2'163'100'445;
constexpr std::size_t kDays3y = 784;
constexpr std::uint64_t kSelectedEarlier = 1'959'900'000;

constexpr std::uint64_t kRowsTaq = 200'000'000;

using Count = std::uint64_t DayCount::*;

// Spreads `total` over the days, each by a weight of its own within a fifth of the mean, exactly.
void apportion(std::span<DayCount> days, std::uint64_t total, Count count) {
  const Stream weights(0, "rows a day");
  const auto weight = [&](const DayCount& day) {
    return 800 + bounded(weights.at(static_cast<std::uint64_t>(day.date)), 401);
  };
  std::uint64_t weight_all = 0;
  for (const DayCount& day : days) weight_all += weight(day);
  std::uint64_t weight_so_far = 0;
  std::uint64_t given = 0;
  for (DayCount& day : days) {
    weight_so_far += weight(day);
    const std::uint64_t upto = total * weight_so_far / weight_all;
    day.*count = upto - given;
    given = upto;
  }
}

std::vector<DayCount> days_of(const std::vector<std::int32_t>& dates) {
  std::vector<DayCount> days;
  for (const std::int32_t date : dates) days.push_back({.date = date});
  return days;
}

std::vector<DayCount> paper_days() {
  auto days = days_of(trading_days(date_of(2019, 11, 1), date_of(2020, 1, 31)));
  apportion(days, kRowsAll - kSelectedAll, &DayCount::others);
  const auto from = [&](std::int32_t date) {
    return std::find_if(days.begin(), days.end(), [&](auto& day) { return day.date >= date; });
  };
  const auto january = from(date_of(2020, 1, 3));
  // The one day takes the front of January's span; the dates are put back in order below.
  const auto one_day = from(date_of(2020, 1, 7));
  one_day->selected = kSelectedOneDay;
  std::rotate(january, one_day, one_day + 1);
  apportion({days.begin(), january}, kSelectedAll - kSelectedJanuary, &DayCount::selected);
  apportion({january + 1, days.end()}, kSelectedJanuary - kSelectedOneDay, &DayCount::selected);
  std::rotate(january, january + 1, one_day + 1);
  return days;
}

std::vector<DayCount> earlier_days(const std::vector<DayCount>& days) {
  auto earlier = days_of(trading_days_before(days.front().date, kDays3y - days.size()));
  apportion(earlier, kSelectedEarlier, &DayCount::selected);
  apportion(earlier, kRows3y - kRowsAll - kSelectedEarlier, &DayCount::others);
  return earlier;
}

std::uint64_t scaled(std::uint64_t count, double scale, std::uint64_t floor) {
  return std::max(floor,
                  static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * scale)));
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

std::vector<DayCount> day_counts(const Spec& spec) {
  std::vector<DayCount> days;
  if (spec.profile == Profile::kTaq) {
    days = days_of(trading_days(date_of(2020, 1, 3), date_of(2020, 1, 31)));
    apportion(days, kRowsTaq, &DayCount::selected);
  } else {
    days = paper_days();
    if (spec.profile == Profile::kPaper3y) {
      const auto earlier = earlier_days(days);
      days.insert(days.begin(), earlier.begin(), earlier.end());
    }
  }
  for (DayCount& day : days) {
    day.selected = scaled(day.selected, spec.scale, kSelectedMin);
    if (spec.profile != Profile::kTaq) day.others = scaled(day.others, spec.scale, kOthersMin);
  }
  return days;
}

}  // namespace hdbench::datagen
