#include "datagen/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "datagen/paper_symbols.h"
#include "datagen/taq_values.h"
#include "datagen/tickers.h"

namespace hdbench::datagen {
namespace {

constexpr std::string_view kTrade = "trade";
constexpr std::string_view kQuote = "quote";
constexpr std::uint64_t kQuotesATrade = 14;

std::vector<ColumnPlan> paper_columns(std::size_t stored) {
  std::vector<ColumnPlan> columns = {
      {"time", QType::kTimespan, Formula::kTime}, {"col1", QType::kSymbol, Formula::kCol1},
      {"col2", QType::kSymbol, Formula::kCol2},   {"col3", QType::kSymbol, Formula::kCol3},
      {"bid", QType::kFloat, Formula::kBid},      {"ask", QType::kFloat, Formula::kAsk},
      {"bsize", QType::kLong, Formula::kSize},    {"asize", QType::kLong, Formula::kSize}};
  for (std::size_t pair = 1; columns.size() < stored; ++pair) {
    columns.push_back({fmt::format("f{}", pair), QType::kFloat, Formula::kFloat});
    columns.push_back({fmt::format("l{}", pair), QType::kLong, Formula::kLong});
  }
  columns.resize(stored);
  return columns;
}

std::vector<ColumnPlan> trade_columns() {
  return {{"sym", QType::kSymbol, Formula::kTaqSymbol, kTrade},
          {"time", QType::kTimespan, Formula::kTaqTime, kTrade},
          {"ex", QType::kChar, Formula::kTradeExchange, kTrade},
          {"cond", QType::kSymbol, Formula::kTradeCondition, kTrade},
          {"size", QType::kInt, Formula::kTradeSize, kTrade},
          {"price", QType::kReal, Formula::kTradePrice, kTrade},
          {"stop", QType::kChar, Formula::kTradeStop, kTrade},
          {"corr", QType::kShort, Formula::kTradeCorrection, kTrade},
          {"seq", QType::kInt, Formula::kTaqSequence, kTrade},
          {"source", QType::kChar, Formula::kTaqSource, kTrade},
          {"trf", QType::kChar, Formula::kTradeReporter, kTrade},
          {"ptime", QType::kTimespan, Formula::kTaqParticipantTime, kTrade}};
}

std::vector<ColumnPlan> quote_columns() {
  return {{"sym", QType::kSymbol, Formula::kTaqSymbol, kQuote},
          {"time", QType::kTimespan, Formula::kTaqTime, kQuote},
          {"ex", QType::kChar, Formula::kQuoteExchange, kQuote},
          {"bid", QType::kReal, Formula::kQuoteBid, kQuote},
          {"bsize", QType::kInt, Formula::kQuoteBidSize, kQuote},
          {"ask", QType::kReal, Formula::kQuoteAsk, kQuote},
          {"asize", QType::kInt, Formula::kQuoteAskSize, kQuote},
          {"cond", QType::kChar, Formula::kQuoteCondition, kQuote},
          {"seq", QType::kInt, Formula::kTaqSequence, kQuote},
          {"source", QType::kChar, Formula::kTaqSource, kQuote},
          {"ssr", QType::kChar, Formula::kQuoteShortSale, kQuote},
          {"ptime", QType::kTimespan, Formula::kTaqParticipantTime, kQuote}};
}

}  // namespace

DayCount TablePlan::day_of(const DayCount& day) const {
  if (counted_a_row == 1) return day;
  const std::uint64_t rows = (day.rows() + counted_a_row / 2) / counted_a_row;
  return {.date = day.date, .selected = std::max<std::uint64_t>(rows, 1)};
}

std::vector<TablePlan> table_plans(const Spec& spec) {
  if (spec.profile == Profile::kTaq) {
    return {{kTrade, trade_columns(), kQuotesATrade}, {kQuote, quote_columns()}};
  }
  return {{kQuote, paper_columns(spec.columns - 1)}};
}

std::uint64_t rows_of(const std::vector<TablePlan>& tables, const DayCount& day) {
  std::uint64_t rows = 0;
  for (const TablePlan& table : tables) rows += table.day_of(day).rows();
  return rows;
}

std::vector<std::string> domain_list(Profile profile) {
  if (profile == Profile::kTaq) {
    auto symbols = ticker_symbols();
    symbols.insert(symbols.end(), kTradeConditions.begin(), kTradeConditions.end());
    return symbols;
  }
  const auto symbols = paper_symbols();
  return {symbols.begin(), symbols.end()};
}

}  // namespace hdbench::datagen
