// Expressions in fewer words: casts between temporal types and the parts of temporals become
// products, quotients and rests of their numbers.
#pragma once

#include "engine/expression/expression.h"

namespace hdbench {

// The same values. What is left of casts is between numbers (the number that a temporal is stored
// as is one), and between dates and months; comparisons are kEqual, kNotEqual, kLess and
// kLessEqual.
Expression lowered(const Expression& expression);

}  // namespace hdbench
