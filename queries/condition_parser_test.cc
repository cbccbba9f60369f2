#include "queries/condition_parser.h"

#include <string>

#include "engine/base/catch.h"
#include "queries/sample_table.h"

namespace hdbench {

TEST_CASE("a condition needs a comparison") {
  check_bad("select from quote where @",
            "found the end of the query, expected a column or a literal");
  check_bad("select from quote where bid>5,@",
            "found the end of the query, expected a column or a literal");
  check_bad("select from quote where bid@",
            "found the end of the query, expected a comparison (= <> < <= > >= within in like)");
  check_bad("select from quote where not bid@",
            "found the end of the query, expected a comparison (= <> < <= > >= within in like)");
  check_bad("select from quote where not@",
            "found the end of the query, expected a column or a literal");
  check_bad("select from quote where 5@",
            "found the end of the query, expected a comparison (= <> < <= > >= within in like)");
  check_bad("select from quote where `a`b@",
            "found the end of the query, expected a comparison (= <> < <= > >= within in like)");
  check_bad("select from quote where @=5", "found '=', expected a column or a literal");
  check_bad("select from quote where bid=@",
            "found the end of the query, expected a column or a literal");
  check_bad("select from quote where bid@!5",
            "found '!', expected a comparison (= <> < <= > >= within in like)");
}

TEST_CASE("a comparison is between one column and one literal") {
  check_bad("select from quote where bid=@ask",
            "comparing two columns is not supported, only a column with a literal");
  check_bad("select from quote where col3 in @val1",
            "comparing two columns is not supported, only a column with a literal");
  check_bad("select from quote where @5=6", "neither side of the comparison is a column");
  check_bad("select from quote where @(bid>5)=1b", "a condition cannot be compared with anything");
  check_bad("select from quote where bid>@(ask>5)", "a condition cannot be compared with anything");
  check_bad("select from quote where bid>5@=1b",
            "found '=', expected a comma or the end of the query");
  check_bad("select from quote where 5 @in bsize", "'in' needs its column on the left");
  check_bad("select from quote where 1 5 @within bsize", "'within' needs its column on the left");
  check_bad("select from quote where \"a\" @like col3", "'like' needs its column on the left");
}

TEST_CASE("arithmetic, functions and nested queries in conditions are refused") {
  check_bad("select from quote where bid>5@*2",
            "found '*' (arithmetic is not supported), expected a comma or the end of the query");
  check_bad("select from quote where 2@*bid>5",
            "found '*' (arithmetic is not supported), expected a comparison (= <> < <= > >= within "
            "in like)");
  check_bad("select from quote where bid@*2>5",
            "found '*' (arithmetic is not supported), expected a comparison (= <> < <= > >= within "
            "in like)");
  check_bad("select from quote where bid>5 @fby col1",
            "found 'fby' (fby is not supported), expected a comma or the end of the query");
  check_bad(
      "select from quote where bid @fby col1",
      "found 'fby' (fby is not supported), expected a comparison (= <> < <= > >= within in like)");
  check_bad("select from quote where bid=(@max;bid) fby col1",
            "a list in parentheses holds literals only");
  check_bad("select from quote where @abs bid>5",
            "found 'abs' (functions are not supported), expected a column or a literal");
  check_bad("select from quote where @abs[bid]>5",
            "found 'abs' (functions are not supported), expected a column or a literal");
  check_bad("select from quote where bid>@max bid",
            "found 'max' (functions are not supported), expected a column or a literal");
  check_bad("select from quote where @in[bid;5]", "found 'in', expected a column or a literal");
  check_bad("select from quote where @{x} bid",
            "found '{' (functions are not supported), expected a column or a literal");
  check_bad("select from quote where bid=@select max bid from quote",
            "found 'select' (nested queries are not supported), expected a column or a literal");
}

TEST_CASE("conditions are joined with commas only") {
  check_bad("select from quote where bid>5 @and ask<6",
            "found 'and' (conditions are joined with commas only), expected a comma or the end of "
            "the query");
  check_bad("select from quote where (bid>5)@&(ask<6)",
            "found '&' (conditions are joined with commas only), expected a comma or the end of "
            "the query");
  check_bad("select from quote where bid>5 @or ask<6",
            "found 'or' (conditions are joined with commas only), expected a comma or the end of "
            "the query");
}

TEST_CASE("parentheses close") {
  check_bad("select from quote where ((bid>5)@", "found the end of the query, expected ')'");
  check_bad("select from quote where (bid>5@,ask<6)", "found ',', expected ')'");
  check_bad("select from quote where (bid@", "found the end of the query, expected ')'");
}

TEST_CASE("parentheses and nots may nest a while, but not for ever") {
  const auto nested = [](int depth) {
    return "select from quote where " + std::string(depth, '(') + "bid>5" + std::string(depth, ')');
  };
  CHECK(bind_good(nested(90)).where.size() == 1);
  CHECK(bind_bad(nested(200)).message == "nested too deeply for a condition");
  CHECK(bind_bad(nested(1'000'000)).message == "nested too deeply for a condition");
  std::string nots;
  for (int i = 0; i < 100'000; ++i) nots += "not ";
  CHECK(bind_bad("select from quote where " + nots + "bid>5").message ==
        "nested too deeply for a condition");
}

}  // namespace hdbench
