// The conditions of a where phrase.
#pragma once

#include "engine/base/result.h"
#include "queries/syntax.h"
#include "queries/token_reader.h"

namespace hdbench {

// Takes one condition: a column compared with a literal, either side first, with `not` before it or
// parentheses around it as often as one likes (within reason). What follows it is the caller's.
Result<ParsedCondition> parse_condition(TokenReader& reader);

}  // namespace hdbench
