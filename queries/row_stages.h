// What a query needs whole rows for before its own phrases run: fby, uniform functions, and the
// aggregates of update and beside lists.
//
// Each becomes a column of rows that a source makes, and its place in the syntax a name of that
// column. Conditions before one that has such a call choose the rows that it sees; those from it on
// are left to the query.
#pragma once

#include "engine/base/result.h"
#include "queries/expression/expression_binder.h"
#include "queries/syntax.h"
#include "queries/table_binder.h"

namespace hdbench::queries {

// Whether columns of the result are lists: a by phrase, and a column without an aggregate.
bool gives_lists(const ParsedQuery& query);

// Rewrites the query and replaces its base until no such call is left; without one nothing changes.
// Errors: those of the parts, each with a caret.
Status stage_rows(ParsedQuery& query, RowBase& base, const BindTables& tables);

}  // namespace hdbench::queries
