// Computes the New York Stock Exchange's trading days from its published rules.
//
// Dates are kdb+'s: days since 2000.01.01. Unscheduled closures (state funerals, storms) count as
// trading days; early closes count as whole days.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace hdbench::datagen
