// The select and by phrases bound to a schema: outputs, their names, group keys.
#pragma once

#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "queries/expression/expression_binder.h"
#include "queries/syntax.h"

namespace hdbench {

// Fills the plan's outputs, by, last_rows and is_exec. Names as q makes them: an item is named
// after its alias, else its (last) column, `count i` x; names that come again get 1, 2, ... behind
// them. Errors: an unknown column, an aggregate that the column's type does not have ('type), a
// name given twice, plain columns beside aggregates or beside `by`.
Status bind_columns(const ParsedQuery& query, const BindScope& scope, Plan& plan);

}  // namespace hdbench
