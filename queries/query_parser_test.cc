#include "queries/query_parser.h"

#include "engine/base/catch.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {

TEST_CASE("a query is taken apart into its phrases") {
  const auto parsed =
      parse_query("exec n:count i,bsize wavg bid by day:date,col1 from quote where bid>5,ask<6");
  REQUIRE(parsed.ok());
  CHECK(parsed->is_exec);
  REQUIRE(parsed->columns.size() == 2);
  CHECK(parsed->columns[0].alias->text == "n");
  CHECK(parsed->columns[0].expression.is_call("count", 1));
  CHECK(parsed->columns[1].expression.is_call("wavg", 2));
  REQUIRE(parsed->by.size() == 2);
  CHECK(parsed->by[0].alias->text == "day");
  CHECK(parsed->by[0].expression.text == "date");
  CHECK_FALSE(parsed->by[1].alias.has_value());
  CHECK(parsed->table.name.text == "quote");
  CHECK(parsed->table.name.position == 52);
  CHECK(parsed->where.size() == 2);
}

TEST_CASE("comments, a byte order mark and a semicolon at the end are passed over") {
  CHECK(bind_good("\xef\xbb\xbfselect bid from quote").outputs.size() == 1);
  CHECK(bind_good("select bid, / the best\n  ask from quote / all of it").outputs.size() == 2);
  CHECK(bind_good("/ first\nselect bid from quote;").outputs.size() == 1);
  CHECK(bind_good("select from quote where bid>5 ; ").where.size() == 1);
  check_bad("select bid@/ask from quote", "found '/', expected an operator, a comma, by or from");
}

TEST_CASE("distinct, limits and sorting are parts of a query or stand around it") {
  const auto sorted = parse_query("`a`b xdesc select[-5;>c] distinct x from t");
  REQUIRE(sorted.ok());
  CHECK(sorted->table.kind == TableForm::kStage);
  CHECK(sorted->table.name.text == "xdesc");
  CHECK(sorted->table.keys.size() == 2);
  const Query& parsed = *sorted->table.of.front().query;
  CHECK(parsed.limit.rows.size() == 1);
  CHECK(parsed.limit.columns.at(0).text == "c");
  CHECK(parsed.limit.descending);
  CHECK(parsed.distinct.has_value());
  CHECK(parse_query("select[2 5] from t").ok());
  CHECK(parse_query("select[<c] by a from t").ok());
  check_bad("`time @sort select from quote",
            "found 'sort', expected xasc, xdesc, xkey, xcol, # or _");
  check_bad("select[@] from quote", "found ']', expected a number of rows, < or >");
  check_bad("select[5;@bid] from quote", "found 'bid', expected < or > and a column");
  check_bad("select[5;>@5] from quote", "found '5', expected a column to sort by");
}

TEST_CASE("a name of q's own functions may be a column where nothing follows it") {
  CHECK(parse_query("select type,max value by key from t where group>5, prev in `a").ok());
}

TEST_CASE("what is no select or exec is refused") {
  check_bad("@", "found the end of the query, expected select or exec");
  check_bad("@bid from quote", "found 'bid', expected select or exec");
  check_bad("@flip quote", "not supported yet: flip of a table");
  check_bad("@ungroup select from quote",
            "ungroup takes a query whose columns are lists: select ... by ... without aggregates");
  check_bad("5@", "found the end of the query, expected #, _, ! or sublist");
}

TEST_CASE("trailing text is refused") {
  check_bad("select from quote @bid>5", "found 'bid', expected where or the end of the query");
  check_bad("select from quote @asof other", "not supported yet: asof");
  check_bad("select from quote where bid>5 @bid",
            "found 'bid', expected an operator, a comma or the end of the query");
  check_bad("select from quote where bid>5@; select from quote",
            "found ';' (one query at a time), expected the end of the query");
  check_bad("select from quote where bid>5@)",
            "found ')', expected an operator, a comma or the end of the query");
  CHECK(parse_query("select from quote;;").ok());
}

TEST_CASE("a query within a query takes all that follows it, or stands in parentheses") {
  const auto inner = parse_query("select a from select b from t where c");
  REQUIRE(inner.ok());
  CHECK(inner->where.empty());
  CHECK(inner->table.query->where.size() == 1);
  const auto outer = parse_query("select a from (select b from t) where c");
  REQUIRE(outer.ok());
  CHECK(outer->where.size() == 1);
  CHECK(outer->table.query->where.empty());
  const auto listed = parse_query("select from t where a in exec b from u where c, d");
  REQUIRE(listed.ok());
  REQUIRE(listed->where.size() == 1);
  CHECK(listed->where[0].arguments[1].query->where.size() == 2);
  check_bad("select from `quote@",
            "found the end of the query, expected xasc, xdesc, xkey, xcol, # or _");
  check_bad("select from (select from quote@", "found the end of the query, expected ')'");
}

TEST_CASE("lists are no keys") {
  check_bad("select bx from quote where bid=(first;ix) @fby text",
            "'type: fby by text, which is a list");
  check_bad("update @sums bid by text from quote", "'type: sums by text, which is a list");
  check_bad("update @max bid by text from quote", "'type: max by text, which is a list");
  check_bad("@`text xasc select from quote", "'type: xasc of text, which is a list");
}

TEST_CASE("joins are read from right to left") {
  const auto joined = parse_query("t lj u ij aj[`a`b;v;select from w]");
  REQUIRE(joined.ok());
  CHECK(joined->table.name.text == "lj");
  const TableSyntax& right = joined->table.of[1];
  CHECK(right.name.text == "ij");
  CHECK(right.of[1].keys.size() == 2);
  check_bad("aj[@quote;quote;quote]",
            "found 'quote', expected the columns to join by, such as `sym`time");
  check_bad("aj[`time;quote@]", "found ']', expected ';' and a table");
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "select from (";
  CHECK(bind_bad(deep + "quote").message == "nested too deeply");
}

TEST_CASE("a star stands alone") {
  check_bad("select *@,bid from quote",
            "found ',', expected by or from after *, which is all columns");
  check_bad("select bid,@* from quote", "* is all columns and must be alone");
  check_bad("select x:@* from quote", "* is all columns and must be alone");
}

}  // namespace hdbench::queries
