// The select and by phrases bound to a schema: outputs, their names, group keys.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"
#include "queries/bind_scope.h"

namespace hdbench::queries {

// Fills the plan's outputs, by, last_rows and is_exec. Names as q makes them: an item is named
// after its alias, else its (last) column, `count i` x; names that come again get 1, 2, ... behind
// them. Errors: an unknown column, an aggregate that the column's type does not have ('type), a
// name given twice.
Status bind_columns(const Phrases& phrases, const BindScope& scope, Plan& plan);

// The same of a query that gives lists (row_stages.h): the keys, then the columns, of all rows.
Status bind_lists(const Phrases& phrases, const BindScope& scope, Plan& plan);

// The same of update: all columns, those that the phrase names replaced, others behind. Requires:
// no aggregates, no by.
Status bind_update(const Phrases& phrases, const BindScope& scope, Plan& plan);

// Whether columns of the result are lists: a by phrase, and a column without an aggregate; or what
// is made of lists of another length than the rows.
bool gives_lists(const Phrases& phrases);

// Whether a column stands in the expression outside of aggregates.
bool has_free_column(const Syntax& syntax, const BindScope& scope);

// Gives the items without an alias the names that q does: their last column's, without a link or a
// whole before it; else x. Of the columns that the text knows, so before stages make others.
void name_items(Phrases& phrases, const BindScope& scope);

}  // namespace hdbench::queries
