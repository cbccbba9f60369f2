// A cursor over tokens, and the errors that name the token found and what was expected.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "queries/lexer.h"

namespace hdbench::queries {

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
