// Splits q-SQL text into tokens, and reads them with errors that name what was found and what was
// expected.
//
// A token holds its position in the text, so that every later error can put a caret under it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
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

// A cursor over tokens.
class TokenReader {
 public:
  // Requires: the last token, and only it, is kEnd.
  explicit TokenReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  // Where the token before the next one ended.
  std::size_t previous_end() const { return at_ == 0 ? 0 : tokens_[at_ - 1].end; }

  bool at_mark(std::string_view mark, std::size_t ahead = 0) const {
    return peek(ahead).kind == TokenKind::kMark && peek(ahead).text == mark;
  }
  bool at_name(std::string_view name) const {
    return peek().kind == TokenKind::kName && peek().text == name;
  }
  bool accept_mark(std::string_view mark) {
    const bool is_here = at_mark(mark);
    if (is_here) take();
    return is_here;
  }
  bool accept_name(std::string_view name) {
    const bool is_here = at_name(name);
    if (is_here) take();
    return is_here;
  }

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

// Makes "found 'delete' (tables are only read), expected ...", the caret at the token. The note in
// brackets appears where it is known what is wrong.
Error unexpected(const Token& token, std::string_view expected);

// Whether a query begins with the name.
bool is_query_word(std::string_view name);

// Whether the name is a keyword of q-SQL (select, by, in, ...), which cannot name a column.
bool is_keyword(std::string_view name);

}  // namespace hdbench::queries
