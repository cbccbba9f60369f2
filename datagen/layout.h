// Defines the generated tables: their names, and their columns' names, types and formulas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datagen/day_counts.h"
#include "datagen/spec.h"
#include "engine/column/type.h"

namespace hdbench::datagen {

// How a column's values are computed from row numbers: column_values.h, and from kTaqSymbol on
// taq_values.h.
enum class Formula : std::uint8_t {
  kTime,
  kCol1,
  kCol2,
  kCol3,
  kBid,
  kAsk,
  kSize,
  kFloat,
  kLong,
  kTaqSymbol,
  kTaqTime,
  kTaqParticipantTime,
  kTaqSequence,
  kTaqSource,
  kTradeExchange,
  kTradeCondition,
  kTradeSize,
  kTradePrice,
  kTradeStop,
  kTradeCorrection,
  kTradeReporter,
  kQuoteExchange,
  kQuoteBid,
  kQuoteBidSize,
  kQuoteAsk,
  kQuoteAskSize,
  kQuoteCondition,
  kQuoteShortSale,
};

struct ColumnPlan {
  std::string name;
  QType type = QType::kLong;
  Formula formula = Formula::kLong;
  std::string_view table{};  // of the taq profile: rows of its tables are drawn independently
};

struct TablePlan {
  std::string_view name;
  std::vector<ColumnPlan> columns;  // all but the virtual date, in `.d` order
  std::uint64_t counted_a_row = 1;  // one row for so many of a day's count

  // The day's count of this table.
  DayCount day_of(const DayCount& day) const;
};

// The tables in the order in which they are made.
//   paper, paper-3y: quote: time col1 col2 col3 bid ask bsize asize f1 l1 f2 l2 ..., which are one
//                    less than spec.columns
//   taq:             trade and quote, with the columns of NYSE's daily files
std::vector<TablePlan> table_plans(const Spec& spec);

// The rows of all tables on a day.
std::uint64_t rows_of(const std::vector<TablePlan>& tables, const DayCount& day);

// A profile's symbols in the order of their codes, as the `sym` file stores them.
std::vector<std::string> domain_list(Profile profile);

}  // namespace hdbench::datagen
