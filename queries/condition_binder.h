// Binds conditions to a schema: tests of columns where they are that, else computed booleans.
#pragma once

#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "queries/expression/expression_binder.h"

namespace hdbench::queries {

// A column compared with a literal, or with what is constant, is a test of
// that column (literal_comparison.h), `not` before it negates it, and a boolean column alone is
// tested to be 1b. Any other condition is a computed field of the plan that is tested so. Errors:
// as bind_literal_test() and bind_expression(); a condition that is no boolean. An unreadable field
// that is named has any test.
Result<Condition> bind_condition(const Syntax& syntax, const BindScope& scope, Plan& plan);

}  // namespace hdbench::queries
