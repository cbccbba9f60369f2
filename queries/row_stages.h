// What a query needs whole rows for before its own phrases run: fby, uniform functions, and the
// aggregates of update and beside lists.
//
// Each becomes a column of rows that a source makes, by whose name the call is known from then on
// (Phrases::made). Conditions before one that has such a call choose the rows that it sees; those
// from it on are left to the query.
#pragma once

#include "engine/base/result.h"
#include "queries/bind_scope.h"
#include "queries/table_binder.h"

namespace hdbench::queries {

// Replaces the base until no such call is left, and leaves in the phrases what is still to be
// bound; without such a call nothing changes. Errors: those of the parts, each with a caret.
Status stage_rows(Phrases& phrases, RowBase& base, const BindContext& context);

}  // namespace hdbench::queries
