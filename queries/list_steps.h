// What is made of a group's list, in front of what gives its items: 2#desc price by sym.
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "queries/bind_scope.h"
#include "queries/expression/functions.h"

namespace hdbench::queries {

// Whether the syntax is a call of such a function.
bool is_of_kind(const Syntax& syntax, FunctionKind kind);

// A number of rows on the left of a call. Errors: 'type, with a caret.
Result<std::int64_t> length_of(const Syntax& syntax, const Syntax& call, const BindScope& scope);

// Takes the steps off the item's expression, and an aggregate before them, which is then one of the
// list; aggregates that leave nulls out need no list of `x where c`. Requires: scope.made. Errors:
// with a caret.
Status take_list_steps(PhraseItem& item, const BindScope& scope);

}  // namespace hdbench::queries
