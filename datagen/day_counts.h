// The days of a database: the New York Stock Exchange's trading days by its published rules, and
// the row count of each, which spreads the published totals over them.
//
// Dates are kdb+'s: days since 2000.01.01. Unscheduled closures (state funerals, storms) count as
// trading days; early closes count as whole days. The counts at scale 1 belong to the profile and
// do not depend on the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datagen/spec.h"

namespace hdbench::datagen {

// Requires a valid civil date.
std::int32_t date_of(int year, unsigned month, unsigned day);

// Every weekday is one except the holidays: New Year, Martin Luther King, Presidents, Good Friday,
// Memorial, Juneteenth (since 2022), Independence, Labor, Thanksgiving, Christmas. A fixed holiday
// on a Sunday is observed on Monday, one on a Saturday on Friday; except New Year's, as that Friday
// ends the year.
bool is_trading_day(std::int32_t date);

// The trading days from first to last, both included, rising.
std::vector<std::int32_t> trading_days(std::int32_t first, std::int32_t last);

// The last `count` trading days before `date`, rising.
std::vector<std::int32_t> trading_days_before(std::int32_t date, std::size_t count);

// selected: rows with col3 one of val1, val2, val3 (taq: quotes). others: rows with another col3.
struct DayCount {
  std::int32_t date = 0;  // days since 2000.01.01
  std::uint64_t selected = 0;
  std::uint64_t others = 0;

  std::uint64_t rows() const { return selected + others; }
};

// The fewest rows of a day at any scale, so that every combination of symbols stays present.
constexpr std::uint64_t kSelectedMin = 64;
constexpr std::uint64_t kOthersMin = 8;

// The days of spec's profile in rising order, each count rounded to count * scale.
std::vector<DayCount> day_counts(const Spec& spec);

}  // namespace hdbench::datagen
