#include "queries/literal/literal_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {
namespace {

Literal parse_good(const std::string& text) {
  INFO(text);
  auto tokens = lex(text);
  REQUIRE(tokens.ok());
  TokenReader reader(std::move(*tokens));
  REQUIRE(at_literal(reader));
  auto literal = parse_literal(reader);
  if (!literal.ok()) FAIL(literal.error().message);
  CHECK(reader.peek().kind == TokenKind::kEnd);
  CHECK(literal->end == text.size());
  return *literal;
}

std::vector<std::string> symbols(const std::string& text) {
  const Literal literal = parse_good(text);
  CHECK(literal.type == QType::kSymbol);
  std::vector<std::string> texts;
  for (const Atom& atom : literal.atoms) texts.push_back(std::get<std::string>(atom.value));
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("one symbol is an atom, symbols that touch are a list") {
  CHECK(symbols("`a") == Texts{"a"});
  CHECK_FALSE(parse_good("`a").is_list);
  CHECK(symbols("`a`b`") == Texts{"a", "b", ""});
  CHECK(parse_good("`a`b").is_list);
  CHECK(symbols("`") == Texts{""});
}

TEST_CASE("a string of one char is an atom, any other a list") {
  CHECK_FALSE(parse_good("\"a\"").is_list);
  CHECK(parse_good("\"abc\"").atoms.size() == 3);
  CHECK(parse_good("\"\"").is_list);
  CHECK(parse_good("\"\"").type == QType::kChar);
}

TEST_CASE("strings cast to symbols that need quotes") {
  CHECK(symbols("`$\"BRK B\"") == Texts{"BRK B"});
  CHECK_FALSE(parse_good("`$\"BRK B\"").is_list);
  CHECK(symbols("`$(\"a b\";\"c\")") == Texts{"a b", "c"});
}

TEST_CASE("an empty list is cast to any type, by name or letter") {
  for (const char* text : {"`date$()", "\"d\"$()"}) {
    const Literal literal = parse_good(text);
    CHECK(literal.type == QType::kDate);
    CHECK(literal.is_list);
    CHECK(literal.atoms.empty());
  }
}

TEST_CASE("lists in parentheses hold atoms of one type") {
  check_bad("select from quote where bid in @()",
            "() has no type: write an empty list as `long$() or `symbol$()");
  check_bad("select from quote where bid in (1;@`a)",
            "'type: a list has one type: this is a symbol, not a long");
  check_bad("select from quote where bid in (1;@2 3)",
            "a list in parentheses holds atoms only, and this is a list");
  check_bad("select from quote where bid in (@1 2;3)",
            "a list in parentheses holds atoms only, and this is a list");
  check_bad("select from quote where col3 in (@\"val1\";\"val2\")",
            "a list in parentheses holds atoms only, and this is a list");
  check_bad("select from quote where bid in (1;2@",
            "found the end of the query, expected ';' or ')'");
  check_bad("select from quote where bid in (1;@)",
            "found ')', expected a column, a literal or a function");
  check_bad("select from quote where bid in @(1;ask)",
            "not supported yet: in of what is no literal");
  check_bad("select from quote where bid in (1@,2)", "found ',', expected ')'");
}

TEST_CASE("enlist takes one atom") {
  check_bad("select from quote where bid in enlist @1 2",
            "enlist makes a list of one atom, and this is a list");
  check_bad("select from quote where bid in enlist @enlist 1",
            "found 'enlist', expected an atom after enlist");
  check_bad("select from quote where bid in enlist@",
            "found the end of the query, expected an atom after enlist");
}

TEST_CASE("casts that are no literal are of a type that there is") {
  check_bad("select from quote where date=@\"D\"$\"2020.01.01\"", "no type is called D");
  check_bad("select from quote where bsize in @`nope$()", "no type is called nope");
  check_bad("select from quote where gx=\"G\"$@5", "found '5', expected a string");
  check_bad("select from quote where gx in \"G\"$(\"a\"@,\"b\")", "found ',', expected ';' or ')'");
}

TEST_CASE("what is written as a guid must be one") {
  check_bad("select from quote where gx=\"G\"$@\"123\"",
            "\"123\" is not a guid such as \"8c6b8b64-6815-6084-0a3e-178401251b68\"");
  check_bad("select from quote where gx=\"G\"$@\"8c6b8b64-6815-6084-0a3e-178401251b6g\"",
            "\"8c6b8b64-6815-6084-0a3e-178401251b6g\" is not a guid such as "
            "\"8c6b8b64-6815-6084-0a3e-178401251b68\"");
  check_bad("select from quote where gx=\"G\"$@\"8c6b8b6406815-6084-0a3e-178401251b68\"",
            "\"8c6b8b6406815-6084-0a3e-178401251b68\" is not a guid such as "
            "\"8c6b8b64-6815-6084-0a3e-178401251b68\"");
}

TEST_CASE("a literal out of range is refused at its word") {
  check_bad("select from quote where bsize>@9223372036854775808",
            "9223372036854775808 does not fit a long");
  check_bad("select from quote where date in 2020.01.01 @2020.02.30",
            "2020.02.30 is not a day of the calendar");
  check_bad("select from quote where date within (2020.01.01;@2020.13.01)",
            "2020.13.01 is not a day of the calendar");
  check_bad("select from quote where bid>@12abc", "12abc is no literal of q");
  check_bad("select from quote where date=@2020.1.8",
            "2020.1.8 is no literal of q: months and days have two digits (2020.01.08)");
  check_bad("select from quote where time>@2020.1.8D09:30",
            "2020.1.8D09:30 is no literal of q: months and days have two digits "
            "(2020.01.08D09:30)");
  check_bad("select from quote where bid>@\"abc", "the string is not closed by a \"");
}

TEST_CASE("a parameter is a literal, or a line each of a list") {
  CHECK(parse_param("2020.01.07")->type == QType::kDate);
  CHECK(parse_param("`a`b")->atoms.size() == 2);
  CHECK_FALSE(parse_param("select").ok());
  CHECK_FALSE(parse_param("5 +").ok());
  const auto symbols = parse_param_lines("AAPL\n\n MSFT \r\n`5\n6");
  REQUIRE(symbols.ok());
  REQUIRE(symbols->atoms.size() == 4);
  CHECK(symbols->type == QType::kSymbol);
  CHECK(std::get<std::string>(symbols->atoms[2].value) == "5");
  const auto numbers = parse_param_lines("5\n6");
  REQUIRE(numbers.ok());
  CHECK(numbers->is_list);
  CHECK(numbers->type == QType::kLong);
  CHECK_FALSE(parse_param_lines("\n \n").ok());
}

}  // namespace hdbench::queries
