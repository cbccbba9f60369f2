#include "queries/lexer.h"

#include <string>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::queries {
namespace {

std::vector<std::string> texts(std::string_view text) {
  const auto tokens = lex(text);
  REQUIRE(tokens.ok());
  std::vector<std::string> found;
  for (const Token& token : *tokens) found.push_back(token.text);
  REQUIRE(tokens->back().kind == TokenKind::kEnd);
  found.pop_back();
  return found;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("an empty text has no tokens but the end") {
  CHECK(texts("").empty());
  CHECK(texts(" \t\r\n ").empty());
}

TEST_CASE("names, numbers, symbols and marks part without spaces") {
  CHECK(texts("date=2020.01.07,col3 in`val1`val2") ==
        Texts{"date", "=", "2020.01.07", ",", "col3", "in", "val1", "val2"});
  CHECK(texts("a<>b<=c>=d<e>f") == Texts{"a", "<>", "b", "<=", "c", ">=", "d", "<", "e", ">", "f"});
}

TEST_CASE("a token knows where it stands") {
  const auto tokens = lex(" bid  >5");
  REQUIRE(tokens.ok());
  CHECK((*tokens)[0].begin == 1);
  CHECK((*tokens)[0].end == 4);
  CHECK((*tokens)[1].begin == 6);
  CHECK((*tokens)[2].begin == 7);
  CHECK((*tokens)[3].begin == 8);
}

TEST_CASE("a minus is a sign unless an operand stands right before it") {
  CHECK(texts("bid>-5") == Texts{"bid", ">", "-5"});
  CHECK(texts("1 -5") == Texts{"1", "-5"});
  CHECK(texts("bid-5") == Texts{"bid", "-", "5"});
  CHECK(texts("(1)-5") == Texts{"(", "1", ")", "-", "5"});
  CHECK(texts("-bid") == Texts{"-", "bid"});
  CHECK(texts("-.5") == Texts{"-.5"});
  CHECK(texts("1-5") == Texts{"1", "-", "5"});
}

TEST_CASE("an exponent's sign belongs to its number, a hexadecimal e has none") {
  CHECK(texts("1e-5 2.5e+10") == Texts{"1e-5", "2.5e+10"});
  CHECK(texts("0x1e-5") == Texts{"0x1e", "-", "5"});
}

TEST_CASE("a timestamp is one token") {
  CHECK(texts("2020.01.07D09:30:00.123456789") == Texts{"2020.01.07D09:30:00.123456789"});
}

TEST_CASE("symbols take dots, colons, underscores and, after a colon, slashes") {
  CHECK(texts("`a.b`BRK_B`:/tmp/x`1m") == Texts{"a.b", "BRK_B", ":/tmp/x", "1m"});
  CHECK(texts("`") == Texts{""});
  CHECK(texts("``a`") == Texts{"", "a", ""});
  CHECK(texts("`a/b") == Texts{"a", "/", "b"});
}

TEST_CASE("bytes beyond ASCII belong to names and symbols") {
  CHECK(texts("gr\xc3\xb6\xc3\x9f\x65=`\xc3\xa9t\xc3\xa9`\xe6\x97\xa5") ==
        Texts{"gr\xc3\xb6\xc3\x9f\x65", "=", "\xc3\xa9t\xc3\xa9", "\xe6\x97\xa5"});
  CHECK(texts("`\xe9") == Texts{"\xe9"});
  CHECK(texts("1\xc3\xa9") == Texts{"1", "\xc3\xa9"});
  CHECK(
      lex("select\xc2\xa0").error().message ==
      "found a character that looks like a blank, U+00A0 (no-break space), which q-SQL has no use "
      "for");
}

TEST_CASE("strings resolve q's escapes") {
  CHECK(texts(R"("a\"b\\c\n\t\r\101")") == Texts{"a\"b\\c\n\t\rA"});
  CHECK(texts(R"("")") == Texts{""});
}

TEST_CASE("what cannot be a token is an error at its place") {
  const auto caret = [](std::string_view text) {
    const auto tokens = lex(text);
    REQUIRE_FALSE(tokens.ok());
    return tokens.error().caret.value();
  };
  CHECK(caret("a \"bc") == 2);
  CHECK(caret(R"("ab\q")") == 3);
  CHECK(caret(R"("\777")") == 1);
  CHECK(caret("\"ab\\") == 3);
  CHECK(caret("bid > \x01") == 6);
  CHECK(caret("bid >\xc2\xa0 1") == 5);
  CHECK(caret("select\xef\xbb\xbf") == 6);
  CHECK(caret(std::string_view("a\0b", 3)) == 1);
}

TEST_CASE("an unexpected token is shown as it was written, the end comes again and again") {
  const auto reader_of = [](std::string_view text) { return TokenReader(*lex(text)); };
  const auto message = [&](std::string_view text) {
    return unexpected(reader_of(text).peek(), "rain").message;
  };
  CHECK(message("") == "found the end of the query, expected rain");
  CHECK(message("`a") == "found the symbol `a, expected rain");
  CHECK(message("\"a\"") == "found a string, expected rain");
  CHECK(message("bid") == "found 'bid', expected rain");
  CHECK(message("insert") == "found 'insert' (tables are only read), expected rain");
  TokenReader reader = reader_of("by");
  CHECK_FALSE(reader.accept_mark("by"));
  CHECK(reader.accept_name("by"));
  CHECK(reader.take().kind == TokenKind::kEnd);
  CHECK(reader.peek(5).kind == TokenKind::kEnd);
  CHECK(reader.previous_end() == 2);
}

}  // namespace hdbench::queries
