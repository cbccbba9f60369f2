// Splits q-SQL text into tokens.
//
// A token holds its position in the text, so that every later error can put a caret under it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::queries {

enum class TokenKind {
  kName,    // bid, select, .ns.trade, größe
  kNumber,  // everything that begins with a digit: 5, -2.5e, 0Nd, 2020.01.07, 0x1f, 09:30
  kSymbol,  // `a (text: a); `a`b is two tokens that touch
  kString,  // "abc" (text: abc, escapes resolved)
  kMark,    // = <> < <= > >= , : ; ( ) and every other punctuation
  kEnd,     // after the last one
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::size_t begin = 0;  // first byte in the query's text
  std::size_t end = 0;    // one past the last
  std::string text;
};

// Returns the tokens, the last one being kEnd. A `-` before a digit is a sign unless it directly
// follows an operand (`bid-5`). A ` / comment` is passed over, and so is a byte order mark. Errors:
// an unterminated string, an unknown escape, a byte that is invalid in q's text.
Result<std::vector<Token>> lex(std::string_view text);

}  // namespace hdbench::queries
