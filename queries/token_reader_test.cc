#include "queries/token_reader.h"

#include <string>

#include "engine/base/catch.h"

namespace hdbench::queries {
namespace {

TokenReader reader_of(std::string_view text) {
  auto tokens = lex(text);
  REQUIRE(tokens.ok());
  return TokenReader(std::move(*tokens));
}

}  // namespace

TEST_CASE("the end comes again and again") {
  TokenReader reader = reader_of("a");
  CHECK(reader.take().text == "a");
  CHECK(reader.take().kind == TokenKind::kEnd);
  CHECK(reader.take().kind == TokenKind::kEnd);
  CHECK(reader.peek(5).kind == TokenKind::kEnd);
  CHECK(reader.previous_end() == 1);
}

TEST_CASE("only what is asked for is accepted") {
  TokenReader reader = reader_of("by , \"by\" `by");
  CHECK_FALSE(reader.accept_mark(","));
  CHECK_FALSE(reader.accept_name("from"));
  CHECK(reader.accept_name("by"));
  CHECK(reader.accept_mark(","));
  CHECK_FALSE(reader.accept_name("by"));
  reader.take();
  CHECK_FALSE(reader.accept_name("by"));
}

TEST_CASE("an unexpected token is shown as it was written") {
  const auto message = [](std::string_view text) {
    return unexpected(reader_of(text).peek(), "rain").message;
  };
  CHECK(message("") == "found the end of the query, expected rain");
  CHECK(message("`a") == "found the symbol `a, expected rain");
  CHECK(message("\"a\"") == "found a string, expected rain");
  CHECK(message("bid") == "found 'bid', expected rain");
  CHECK(message("+") == "found '+', expected rain");
  CHECK(message("delete") == "found 'delete' (tables are only read), expected rain");
}

}  // namespace hdbench::queries
