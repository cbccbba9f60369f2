// What a text defines before its query, and lambdas: replaced by their meaning before parsing.
//
//   f:{select from trade where date=x}; f 2020.01.07
//   t:select from trade where date=2020.01.07; aj[`sym`time;t;quote]
//   {x%first x} price
//
// A name stands for what follows its colon, in parentheses; the call of a lambda for its one
// expression, the arguments in the places of its parameters. Tokens keep their places in the text,
// so that carets point at what was written. A lambda before each or peach stays as it is, its
// parameter being x.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "queries/lexer.h"

namespace hdbench::queries {

// Errors, with a caret: what precedes the query and defines no name; a lambda of several
// expressions, with assignments or that calls itself; a wrong number of arguments ('rank).
Result<std::vector<Token>> expand_definitions(std::vector<Token> tokens);

// The names that a text defines, if it does nothing else; else none. Definitions that a query file
// has on lines of their own.
std::vector<std::string> defined_names(std::string_view text);

// Whether the text names one of these.
bool names_any(std::string_view text, const std::vector<std::string>& names);

}  // namespace hdbench::queries
