// The days on which the New York Stock Exchange trades, by its published rules.
//
// A date is kdb+'s: days since 2000.01.01. Unscheduled closures (state funerals, storms) are not
// rules and are not known here; early closes count as whole days.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hdbench::datagen {

// Requires a valid civil date.
std::int32_t date_of(int year, unsigned month, unsigned day);

// Neither a weekend nor a holiday: New Year, Martin Luther King, Presidents, Good Friday,
// Memorial, Juneteenth (since 2022), Independence, Labor, Thanksgiving, Christmas. A fixed holiday
// on a Sunday is kept on Monday, on a Saturday on Friday; but not New Year's, as that Friday closes
// the year.
bool is_trading_day(std::int32_t date);

// The trading days from first to last, both included, rising.
std::vector<std::int32_t> trading_days(std::int32_t first, std::int32_t last);

// The last `count` trading days before `date`, rising.
std::vector<std::int32_t> trading_days_before(std::int32_t date, std::size_t count);

}  // namespace hdbench::datagen
