// Operations of bound values whose types are settled already: pairs, bars, quotients, tests.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "queries/expression/bound_value.h"
#include "queries/expression/expression_builder.h"
#include "queries/expression/expression_types.h"

namespace hdbench::queries {

// What both are cast to, and the operation of them.
BoundValue apply_pair(Operation operation, const BoundValue& x, const BoundValue& y,
                      const PairTypes& types, ExpressionBuilder& builder);

// What both arguments of % become before they are floats: spans of one unit. Nothing: 'type.
std::optional<PairTypes> divisible(const BoundValue& x, const BoundValue& y);

// x div y of reals: the floor of x%y.
BoundValue real_quotient(const BoundValue& x, const BoundValue& y, ExpressionBuilder& builder);

// The bar is computed in the finer unit and becomes the values' type again. Errors: 'type, at
// `position`: it is finer than x.
Result<BoundValue> apply_bar(std::size_t position, const BoundValue& width, const BoundValue& x,
                             const PairTypes& types, ExpressionBuilder& builder);

// A test as an expression, a boolean. Requires: no test of guids.
ExpressionBuilder::Index lower_test(const BoundValue& value, const Test& test,
                                    ExpressionBuilder& builder);

}  // namespace hdbench::queries
