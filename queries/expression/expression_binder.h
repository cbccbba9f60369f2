// Binds an expression: finds its columns, settles every type, and makes one list of nodes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/expression/expression.h"
#include "engine/operator/plan.h"
#include "queries/bind_scope.h"

namespace hdbench::queries {

// Errors: 'type, 'length, names that are not known, what may not stand here; each with a caret and
// what was found. The scope's table names what was not found.
Result<Expression> bind_expression(const Syntax& syntax, const BindScope& scope);

// An expression of aggregates: its fields are places among the plan's outputs, to which its
// aggregates are added, equal ones being one. Columns may not stand beside them.
Result<Expression> bind_result_expression(const Syntax& syntax, const BindScope& scope, Plan& plan);

// A constant as the literal that it could have been, where the text has `syntax`.
Literal constant_literal(const ExpressionNode& node, const Syntax& syntax);

// The field of an expression of rows: a column by itself is its own, anything else a computed one
// of the plan, equal ones being one. Where unreadable fields may be named, an expression of one is
// that field. Errors: as bind_expression().
Result<std::size_t> bind_field(const Syntax& syntax, const BindScope& scope, Plan& plan);

// The place of a computed field of this expression, which is added where there is none.
std::size_t add_computed(Expression expression, std::string_view text, const Table& table,
                         Plan& plan);

// The type of a field, computed or not.
QType field_type(const Plan& plan, const Table& table, std::size_t field);

}  // namespace hdbench::queries
