// Parses literals: vectors, lists in parentheses, casts from strings; and the values of --param.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "queries/lexer.h"
#include "queries/literal/literal.h"

namespace hdbench::queries {

// Whether a literal begins at the next token. After `(` the content decides.
bool at_literal(const TokenReader& reader);

// Takes one literal without parentheses around it: 5, 1 2 3, `a`b, "abc", "G"$"...", `$"a b",
// `long$(), enlist 5. A type before any other `$` is taken alone. Requires: at_literal(reader).
Result<Literal> parse_literal(TokenReader& reader);

// The list (a;b;...) of literals in the text from `begin` to `end`. All must be atoms,
// of one type or of any number types. Requires: one element or more.
Result<Literal> make_list(std::vector<Literal> elements, std::size_t begin, std::size_t end);

// The type that a cast names: `long or "j"; the letter alone or the name alone.
std::optional<QType> cast_type(std::string_view name);

// Names that a query's text leaves open, and their values.
using QueryParams = std::map<std::string, Literal, std::less<>>;

// The literal that a text is: 2020.01.07, `a`b, 1 2 3. Errors: kUsage, with a caret.
Result<Literal> parse_param(std::string_view text);

// A list of what each line has: all literals of one type without a backtick, such as numbers and
// dates; else symbols. Blank lines are passed over. Errors: kUsage: no line.
Result<Literal> parse_param_lines(std::string_view lines);

}  // namespace hdbench::queries
