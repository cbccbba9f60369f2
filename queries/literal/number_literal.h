// Reads literals that begin with a digit: numbers, nulls, infinities, bits, bytes, dates, times.
#pragma once

#include <span>

#include "engine/base/result.h"
#include "queries/lexer.h"
#include "queries/literal/literal.h"

namespace hdbench::queries {

// Reads adjacent words as one atom or vector: `5`, `1 2 3`, `101b`, `2020.01.03 2020.01.31`.
// As in q the last word's suffix applies to all (`1 2 3h`, `09:30 16:00t`, `2020.01.07p`: a
// temporal takes that of a finer type), one float makes all floats, and 0N, 0W and -0W take the
// type of the others. Errors, with the caret at the word: not a literal, out of range, mixed types.
// Requires: one word or more, all of kind kNumber.
Result<Literal> read_numbers(std::span<const Token> words);

}  // namespace hdbench::queries
