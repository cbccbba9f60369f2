// Literals that begin with a digit: numbers, nulls and infinities, bits, bytes, dates and times.
#pragma once

#include <span>

#include "engine/base/result.h"
#include "queries/lexer.h"
#include "queries/literal.h"

namespace hdbench {

// The atom or vector that the words make together: `5`, `1 2 3`, `101b`, `2020.01.03 2020.01.31`.
// As in q the last word's suffix holds for all (`1 2 3h`), one float makes all floats, and 0N, 0W
// and -0W take the type of the others. Errors with the caret at the word: no literal, out of range,
// types mixed.
// Requires: one word or more, all of kind kNumber.
Result<Literal> read_numbers(std::span<const Token> words);

}  // namespace hdbench
