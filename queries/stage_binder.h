// Binds what a table passes: sorts, keys, the first rows, names, counts (stage_words.h).
#pragma once

#include "engine/base/result.h"
#include "queries/bind_scope.h"
#include "queries/syntax.h"
#include "queries/table_binder.h"

namespace hdbench::queries {

// Errors: an unknown column, a column that the stage cannot take, with a caret.
Result<RowBase> bind_stage(const TableSyntax& syntax, const BindContext& context);

// tables[]. Errors: there is no database.
Result<RowBase> bind_tables(const TableSyntax& syntax, const BindContext& context);

}  // namespace hdbench::queries
