// Operations of two arguments over blocks of elements: arithmetic, comparisons, division by steps.
#pragma once

#include "engine/column/type.h"
#include "engine/expression/arithmetic.h"
#include "engine/expression/expression.h"

namespace hdbench {

// Requires: an operation of two arguments; the rest as run_step() (arithmetic.h).
void run_pair(const ArithmeticStep& step);

// Whether an operation on `to` can cast one of its arguments itself, so that no pass over a block
// is needed for it.
bool casts_on_the_way(Operation operation, QType from, QType to);

}  // namespace hdbench
