// Names that a query's text leaves open: lists of symbols or numbers given beside it (`--param`).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "queries/literal/literal.h"

namespace hdbench::queries {

using QueryParams = std::map<std::string, Literal, std::less<>>;

// The literal that a text is: 2020.01.07, `a`b, 1 2 3. Errors: kUsage, with a caret.
Result<Literal> parse_param(std::string_view text);

// A list of what each line has: all literals of one type without a backtick, such as numbers and
// dates; else symbols. Blank lines are passed over. Errors: kUsage: no line.
Result<Literal> parse_param_lines(std::string_view lines);

}  // namespace hdbench::queries
