// Binds a parsed query to the tables that it names: its source, its rows, their columns and shape.
#pragma once

#include <functional>
#include <string_view>

#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "queries/expression/expression_binder.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// The plan, the table that it runs over (null: its source makes the rows) and the columns that it
// gives. Errors: those of what it is made of, each with a caret.
Result<PlanSide> bind_query(const ParsedQuery& query, const BindTables& tables);

}  // namespace hdbench::queries
