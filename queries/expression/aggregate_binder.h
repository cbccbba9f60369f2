// Binds aggregates: of columns, of expressions, and expressions of aggregates.
#pragma once

#include <span>
#include <string>

#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "queries/bind_scope.h"

namespace hdbench::queries {

// Whether the expression is the call of an aggregate, or has one in it. What is a made column is
// none any more (null: nothing is).
bool is_aggregate(const Syntax& syntax, const MadeColumns* made = nullptr);
bool has_aggregate(const Syntax& syntax, const MadeColumns* made = nullptr);

// Whether the aggregate of numbers and of the same with nulls among them is one, so that `x where
// c` can be x with nulls.
bool leaves_nulls_out(Aggregate aggregate);

// An aggregate's name and its arguments as an output, still without a name; what it is of may
// become a computed field of the plan. Errors: 'type, an aggregate within an aggregate.
Result<Output> bind_aggregate(const std::string& name, std::span<const Syntax> arguments,
                              const BindScope& scope, Plan& plan);

// The place of such a call among the plan's outputs, to which it is added where there is no equal
// one.
Result<std::size_t> add_aggregate(const Syntax& call, const BindScope& scope, Plan& plan);

}  // namespace hdbench::queries
