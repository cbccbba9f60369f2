// Computes the columns of the taq profile's two tables.
//
// A row has a time and a ticker, both of its table and number alone; what else it holds follows
// from these and from random numbers of its own. Trades and quotes share the tickers' walks
// (price_walk.h), so that a trade lies at or near the quotes of its time. All of it is made up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "datagen/column_values.h"
#include "datagen/day_counts.h"
#include "datagen/layout.h"

namespace hdbench::datagen {

// What `cond` of a trade may be: the domain has them after the tickers. The first eight are each
// combination of F (sweep), T (outside the session) and I (odd lot), in this order of bits; O and 6
// are opening and closing prints.
constexpr std::array<std::string_view, 10> kTradeConditions = {"",   "F",  "T",   "FT", "I",
                                                               "FI", "TI", "FTI", "O",  "6"};

// As fill_column(), for the formulas from kTaqSymbol on; `day` is the table's own.
void fill_taq_column(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                     const RowSlice& slice, std::span<std::byte> out);

}  // namespace hdbench::datagen
