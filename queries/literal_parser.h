// Parses literals: vectors, lists in parentheses, casts from strings.
#pragma once

#include "engine/base/result.h"
#include "queries/literal.h"
#include "queries/token_reader.h"

namespace hdbench {

// Whether a literal begins at the next token. After `(` the content decides, and parse_condition()
// looks at that (condition_parser.h).
bool at_literal(const TokenReader& reader);

// Takes one literal without parentheses around it: 5, 1 2 3, `a`b, "abc", "G"$"...", `$"a b",
// `long$(), enlist 5. Requires: at_literal(reader).
Result<Literal> parse_literal(TokenReader& reader);

// Takes the rest of (a;b;...) from the first `;` to the `)`; `first` is the item before that `;`.
// All items must be atoms, of one type or of any number types.
Result<Literal> parse_list_rest(TokenReader& reader, Literal first, std::size_t begin);

}  // namespace hdbench
