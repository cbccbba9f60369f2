#include "queries/definitions.h"

#include <string>
#include <string_view>

#include "engine/base/catch.h"
#include "queries/lexer.h"

namespace hdbench::queries {
namespace {

// What is left once names and lambdas are replaced, a space between tokens; or the error.
std::string expanded(std::string_view text) {
  auto tokens = lex(text);
  REQUIRE(tokens.ok());
  const auto made = expand_definitions(std::move(*tokens));
  if (!made.ok()) return made.error().message.substr(0, made.error().message.find('\n'));
  std::string all;
  for (const Token& token : *made) {
    if (token.kind == TokenKind::kEnd) break;
    if (!all.empty()) all += ' ';
    all += token.kind == TokenKind::kSymbol ? "`" + token.text : token.text;
  }
  return all;
}

bool begins(std::string_view text, std::string_view message) {
  const std::string found = expanded(text);
  INFO(found);
  return found.starts_with(message);
}

}  // namespace

TEST_CASE("a text that defines nothing stays as it is") {
  CHECK(expanded("select max price by sym from trade") == "select max price by sym from trade");
  CHECK(expanded("") == "");
}

TEST_CASE("names stand for what follows their colons") {
  CHECK(expanded("n:5; n#trade") == "5 # trade");
  CHECK(expanded("a:`x`y; b:a; select from t where s in b") ==
        "select from t where s in ( ( `x `y ) )");
  CHECK(expanded("a:1; a:2; select a from t") == "select 2 from t");
}

TEST_CASE("a lambda's call is its expression, with the arguments in their places") {
  CHECK(expanded("f:{select from t where d=x}; f 2020.01.07") ==
        "( select from t where d = 2020.01.07 )");
  CHECK(expanded("f:{[a;b]a+b}; select f[p;q] from t") == "select ( p + q ) from t");
  CHECK(expanded("f:{[a;b]a*b}; select f[p+1;q] from t") == "select ( ( p + 1 ) * q ) from t");
  CHECK(expanded("select {x%first x} p from t") == "select ( p % first p ) from t");
}

TEST_CASE("what cannot be replaced is refused") {
  CHECK(begins("f:{f x}; select f p from t", "recursion is not supported: f calls itself"));
  CHECK(begins("f:{a:x;a+1}; select f p from t", "assignments in lambdas"));
  CHECK(begins("f:{x+y}; select f[p] from t", "'rank"));
}

TEST_CASE("lines that define names and nothing else tell which") {
  using Names = std::vector<std::string>;
  CHECK(defined_names("f:{x+1}") == Names{"f"});
  CHECK(defined_names("a:1; b:2;") == Names{"a", "b"});
  CHECK(defined_names("a:1; select from t").empty());
  CHECK(names_any("select f p from t", {"f"}));
  CHECK_FALSE(names_any("select g p, `f from t", {"f"}));
}

}  // namespace hdbench::queries
