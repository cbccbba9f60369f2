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
#include "datagen/random.h"

namespace hdbench::datagen {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kOpeningNs = (9 * 3600 + 30 * 60) * kSecondNs;
constexpr std::int64_t kClosingNs = 16 * 3600 * kSecondNs;

// Times of a trading day's rows, 04:00 to 20:00, dense where a market is busy: at the opening
// (09:30) and the closing (16:00), sparse before and after them.
//
// The day is cut into spans, each with a fixed share of the rows. The rows of a span divide it into
// equal steps; each is at a random place within its own. So times never fall as rows rise.
class SessionTimes {
 public:
  // Requires: rows > 0, below 2^32.
  SessionTimes(const Stream& places, std::uint64_t rows) : places_(places), rows_(rows) {}

  // In nanoseconds since midnight. Rows in any order; neighbours are fastest. Requires: row < rows.
  std::int64_t at(std::uint64_t row) {
    if (row - first_ >= count_) enter_span_of(row);
    // Of the random place 20 bits, as the step of the smallest day has 44.
    const std::uint64_t within = (places_.at(row) >> 44) * step_ >> 20;
    return start_ + static_cast<std::int64_t>((row - first_) * step_ + within);
  }

 private:
  void enter_span_of(std::uint64_t row);

  Stream places_;
  std::uint64_t rows_;
  std::uint64_t first_ = 0;  // of the span's rows
  std::uint64_t count_ = 0;
  std::uint64_t step_ = 0;
  std::int64_t start_ = 0;
};

// What `cond` of a trade may be: the domain has them after the tickers. The first eight are each
// combination of F (sweep), T (outside the session) and I (odd lot), in this order of bits; O and 6
// are opening and closing prints.
constexpr std::array<std::string_view, 10> kTradeConditions = {"",   "F",  "T",   "FT", "I",
                                                               "FI", "TI", "FTI", "O",  "6"};

// As fill_column(), for the formulas from kTaqSymbol on; `day` is the table's own.
void fill_taq_column(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                     const RowSlice& slice, std::span<std::byte> out);

}  // namespace hdbench::datagen
