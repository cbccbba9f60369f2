// Parses the conditions of a where phrase.
#pragma once

#include "engine/base/result.h"
#include "queries/syntax.h"
#include "queries/token_reader.h"

namespace hdbench {

// Takes one condition: a column compared with a literal, either side first. `not` and parentheses
// may be nested around it up to a limit. Stops after the condition; the caller reads what follows.
Result<ParsedCondition> parse_condition(TokenReader& reader);

}  // namespace hdbench
