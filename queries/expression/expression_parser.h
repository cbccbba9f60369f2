// Parses expressions as q does: from right to left, without precedence.
#pragma once

#include "engine/base/result.h"
#include "queries/lexer.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// Takes one expression and stops behind it; the caller reads what follows. A function of one
// argument takes all that follows it, one between two arguments all to its right. q's functions
// that hdbench lacks are errors that say so; names are not looked up. `depth`: how deep the
// expression is nested in a query within others.
Result<Syntax> parse_expression(TokenReader& reader, int depth = 0);

}  // namespace hdbench::queries
