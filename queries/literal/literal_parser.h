// Parses literals: vectors, lists in parentheses, casts from strings.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "queries/literal/literal.h"
#include "queries/token_reader.h"

namespace hdbench::queries {

// Whether a literal begins at the next token. After `(` the content decides.
bool at_literal(const TokenReader& reader);

// Takes one literal without parentheses around it: 5, 1 2 3, `a`b, "abc", "G"$"...", `$"a b",
// `long$(), enlist 5. A type before any other `$` is taken alone. Requires: at_literal(reader).
Result<Literal> parse_literal(TokenReader& reader);

// The list (a;b;...) of literals that stands in the text from `begin` to `end`. All must be atoms,
// of one type or of any number types. Requires: one element or more.
Result<Literal> make_list(std::vector<Literal> elements, std::size_t begin, std::size_t end);

// The type that a cast names: `long or "j"; the letter alone or the name alone.
std::optional<QType> cast_type(std::string_view name);

}  // namespace hdbench::queries
