#include "queries/expression/expression_parser.h"

#include <string>

#include "engine/base/catch.h"
#include "queries/query_parser.h"
#include "queries/testing/expression_text.h"

namespace hdbench::queries {
namespace {

// The tree of an expression.
std::string tree(const std::string& expression) {
  INFO(expression);
  const std::string text = "select " + expression + " from t";
  const auto parsed = parse_query(text);
  if (!parsed.ok()) FAIL(parsed.error().message);
  REQUIRE(parsed->columns.size() == 1);
  return syntax_text(parsed->columns.front().expression, text);
}

// The error of `select EXPRESSION from quote`, the caret at the @.
void check_item(const std::string& expression, const std::string& message) {
  check_bad("select " + expression + " from quote", message);
}

}  // namespace

TEST_CASE("names and literals stand for themselves") {
  CHECK(tree("bid") == "bid");
  CHECK(tree("time.minute") == "time.minute");
  CHECK(tree("1 2 3") == "1 2 3");
  CHECK(tree("((bid))") == "bid");
  CHECK(tree("(1;2)") == "(1;2)");
}

TEST_CASE("all is read from right to left without precedence") {
  CHECK(tree("a*b+c") == "*[a;+[b;c]]");
  CHECK(tree("(a*b)+c") == "+[*[a;b];c]");
  CHECK(tree("a-b-c") == "-[a;-[b;c]]");
  CHECK(tree("a mod b&c|d^e") == "mod[a;&[b;|[c;^[d;e]]]]");
  CHECK(tree("a<b=c") == "<[a;=[b;c]]");
  CHECK(tree("a%b div c") == "%[a;div[b;c]]");
  CHECK(tree("5 xbar time.minute") == "xbar[5;time.minute]");
  CHECK(tree("a<>b and c>=d or e") == "<>[a;and[b;>=[c;or[d;e]]]]");
}

TEST_CASE("a function takes all that follows it") {
  CHECK(tree("neg a+b") == "neg[+[a;b]]");
  CHECK(tree("(neg a)+b") == "+[neg[a];b]");
  CHECK(tree("a+sum b*c") == "+[a;sum[*[b;c]]]");
  CHECK(tree("not null a") == "not[null[a]]");
  CHECK(tree("neg(a)+b") == "neg[+[a;b]]");
  CHECK(tree("count distinct a") == "count[distinct[a]]");
  CHECK(tree("bsize wavg bid+ask") == "wavg[bsize;+[bid;ask]]");
}

TEST_CASE("brackets hold a function's arguments") {
  CHECK(tree("sum[x]") == "sum[x]");
  CHECK(tree("sum[x]%count[y]") == "%[sum[x];count[y]]");
  CHECK(tree("wavg[x;y+z]") == "wavg[x;+[y;z]]");
  CHECK(tree("+[x;y]*2") == "*[+[x;y];2]");
  CHECK(tree("?[a>b;a;b]") == "?[>[a;b];a;b]");
  CHECK(tree("sum ?[a;b;c]") == "sum[?[a;b;c]]");
  CHECK(tree("count[i]") == "count[i]");
  CHECK(tree("not[a]") == "not[a]");
  CHECK(tree("in[a;1 2]") == "in[a;1 2]");
}

TEST_CASE("casts are a pair of a type and a value") {
  CHECK(tree("`long$a+b") == "$[`long;+[a;b]]");
  CHECK(tree("\"j\"$a") == "$[\"j\";a]");
  CHECK(tree("5 xbar `minute$time") == "xbar[5;$[`minute;time]]");
  CHECK(tree("a in `long$()") == "in[a;`long$()]");
}

TEST_CASE("a sign touches its number, a minus has an operand before it") {
  CHECK(tree("a-5") == "-[a;5]");
  CHECK(tree("a*-5") == "*[a;-5]");
  CHECK(tree("a - 5") == "-[a;5]");
  CHECK(tree("neg -5") == "neg[-5]");
  check_item(
      "bid @-5",
      "found '-5' (a minus with a blank behind it subtracts), expected an operator, a comma, "
      "by or from");
  check_item("@-bid",
             "found '-' (a column's sign changes with neg), expected a column, a literal or a "
             "function");
}

TEST_CASE("lists in parentheses may hold expressions") {
  CHECK(tree("a within (b;c+1)") == "within[a;(b;+[c;1])]");
  CHECK(tree("a within 1 2") == "within[a;1 2]");
  check_item("(bid@,ask)", "found ',', expected ')'");
  check_item("(bid;ask@,bid)", "found ',', expected ';' or ')'");
  check_item("@()", "() has no type: write an empty list as `long$() or `symbol$()");
}

TEST_CASE("a function without what it is of is read as a column") {
  CHECK(tree("type") == "type");
  CHECK(tree("max value") == "max[value]");
  CHECK(tree("(max)") == "max");
  check_item("@max", "max is a function: what it is of is missing");
  check_item("@sums+1", "sums is a function: what it is of is missing");
}

TEST_CASE("what q has and hdbench lacks is named") {
  check_item("@avgs bid", "not supported yet: avgs");
  check_item("sum @avgs bid", "not supported yet: avgs");
  check_item("@trim col1", "not supported yet: trim");
  check_item("3 @ema bid", "not supported yet: ema");
  check_item("@avgs[bid]", "not supported yet: avgs");
  check_item("bid@~ask", "not supported yet: ~");
}

TEST_CASE("what q lacks is reported where it stands") {
  check_item("@nope[bid]", "'nope' is no function of q");
  CHECK(tree("{x} bid") == "bid");
  check_item("(bid)@[5]",
             "found '[' (indexing is not supported), expected an operator, a comma, by or from");
  check_item("@bid!5", "a dictionary is of two lists of literals: 09:30 16:00!`open`close");

  check_item("@sum[bid;ask]", "'rank: sum takes 1 arguments, found 2");
  check_item("@wavg[bid]", "'rank: wavg takes 2 arguments, found 1");
  check_bad("select sum[bid @from quote", "found 'from', expected ';' or ']'");
  check_item("sum[@]", "found ']', expected a column, a literal or a function");
}

TEST_CASE("expressions may nest a while, but not for ever") {
  const auto nested = [](int depth) {
    return "select from quote where " + std::string(depth, '(') + "bid>5" + std::string(depth, ')');
  };
  CHECK(bind_good(nested(90)).where.size() == 1);
  CHECK(bind_bad(nested(200)).message == "nested too deeply");
  CHECK(bind_bad(nested(1'000'000)).message == "nested too deeply");
  std::string nots;
  std::string sums = "bid";
  for (int i = 0; i < 100'000; ++i) nots += "not ";
  for (int i = 0; i < 100'000; ++i) sums += "+bid";
  CHECK(bind_bad("select from quote where " + nots + "bid>5").message == "nested too deeply");
  CHECK(bind_bad("select " + sums + " from quote").message == "nested too deeply");
}

}  // namespace hdbench::queries
