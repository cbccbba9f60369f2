// The fields that a query computes, behind those of its table.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"
#include "queries/expression/expression_binder.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// The field of an expression of rows: a column by itself is its own, anything else a computed one,
// equal ones being one. Where unreadable fields may be named, an expression of one is that field.
// Errors: as bind_expression().
Result<std::size_t> bind_field(const Syntax& syntax, const BindScope& scope, Plan& plan);

// The place of a computed field of this expression, which is added where there is none.
std::size_t add_computed(Expression expression, std::string_view text, const Table& table,
                         Plan& plan);

// The type of a field, computed or not.
QType field_type(const Plan& plan, const Table& table, std::size_t field);

}  // namespace hdbench::queries
