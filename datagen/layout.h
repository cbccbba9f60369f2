// Defines the columns of the generated table: their names, types and formulas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datagen/spec.h"
#include "engine/column/type.h"

namespace hdbench::datagen {

// How a column's values are computed from row numbers (column_values.h). The ticker formulas belong
// to the taq profile, where a price depends on the row's symbol.
enum class Formula : std::uint8_t {
  kTime,
  kCol1,
  kCol2,
  kCol3,
  kTicker,
  kBid,
  kAsk,
  kTickerBid,
  kTickerAsk,
  kSize,
  kMode,
  kExchange,
  kFloat,
  kLong,
};

struct ColumnPlan {
  std::string name;
  QType type = QType::kLong;
  Formula formula = Formula::kLong;
};

// The stored columns (all but the virtual date, so one less than spec.columns), in `.d` order.
//   paper, paper-3y: time col1 col2 col3 bid ask bsize asize f1 l1 f2 l2 ...
//   taq:             time sym bid ask bsize asize mode ex    f1 l1 f2 l2 ...
std::vector<ColumnPlan> column_plans(const Spec& spec);

}  // namespace hdbench::datagen
