#include "datagen/layout.h"

#include <fmt/format.h>

namespace hdbench::datagen {
namespace {

std::vector<ColumnPlan> paper_columns() {
  return {{"time", QType::kTimespan, Formula::kTime}, {"col1", QType::kSymbol, Formula::kCol1},
          {"col2", QType::kSymbol, Formula::kCol2},   {"col3", QType::kSymbol, Formula::kCol3},
          {"bid", QType::kFloat, Formula::kBid},      {"ask", QType::kFloat, Formula::kAsk},
          {"bsize", QType::kLong, Formula::kSize},    {"asize", QType::kLong, Formula::kSize}};
}

std::vector<ColumnPlan> taq_columns() {
  return {{"time", QType::kTimespan, Formula::kTime},  {"sym", QType::kSymbol, Formula::kTicker},
          {"bid", QType::kFloat, Formula::kTickerBid}, {"ask", QType::kFloat, Formula::kTickerAsk},
          {"bsize", QType::kLong, Formula::kSize},     {"asize", QType::kLong, Formula::kSize},
          {"mode", QType::kChar, Formula::kMode},      {"ex", QType::kChar, Formula::kExchange}};
}

}  // namespace

std::vector<ColumnPlan> column_plans(const Spec& spec) {
  const std::size_t stored = spec.columns - 1;
  auto columns = spec.profile == Profile::kTaq ? taq_columns() : paper_columns();
  for (std::size_t pair = 1; columns.size() < stored; ++pair) {
    columns.push_back({fmt::format("f{}", pair), QType::kFloat, Formula::kFloat});
    columns.push_back({fmt::format("l{}", pair), QType::kLong, Formula::kLong});
  }
  columns.resize(stored);
  return columns;
}

}  // namespace hdbench::datagen
