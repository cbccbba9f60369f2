// Binds joins of two tables: by keys, by time, in windows, one table behind another.
#pragma once

#include "engine/base/result.h"
#include "queries/bind_scope.h"
#include "queries/syntax.h"
#include "queries/table_binder.h"

namespace hdbench::queries {

// Errors: an unknown column, types that do not compare, a side that is not keyed, with a caret.
Result<RowBase> bind_join(const TableSyntax& syntax, const BindContext& context);

// raze {select ... where column=x, ...} each t: every row of t beside the rows that its value
// chooses. Errors: what is no such query.
Result<RowBase> bind_each(const TableSyntax& syntax, const BindContext& context);

}  // namespace hdbench::queries
