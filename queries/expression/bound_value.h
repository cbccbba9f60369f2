// A part of an expression that is bound.
#pragma once

#include <memory>

#include "engine/column/domain.h"
#include "queries/expression/expression_builder.h"

namespace hdbench::queries {

struct BoundValue {
  ExpressionBuilder::Index node = 0;
  QType type = QType::kLong;
  std::shared_ptr<const Domain> domain = {};  // symbols
};

}  // namespace hdbench::queries
