#include "queries/query_parser.h"

#include "engine/base/catch.h"
#include "queries/sample_table.h"

namespace hdbench {

TEST_CASE("a query is taken apart into its phrases") {
  const auto parsed =
      parse_query("exec n:count i,bsize wavg bid by day:date,col1 from quote where bid>5,ask<6");
  REQUIRE(parsed.ok());
  CHECK(parsed->is_exec);
  REQUIRE(parsed->columns.size() == 2);
  CHECK(parsed->columns[0].alias->text == "n");
  CHECK_FALSE(parsed->columns[0].column.has_value());
  CHECK(parsed->columns[1].weights->text == "bsize");
  CHECK(parsed->columns[1].column->text == "bid");
  REQUIRE(parsed->by.size() == 2);
  CHECK(parsed->by[0].alias->text == "day");
  CHECK(parsed->by[0].column.text == "date");
  CHECK_FALSE(parsed->by[1].alias.has_value());
  CHECK(parsed->table.text == "quote");
  CHECK(parsed->table.position == 52);
  CHECK(parsed->where.size() == 2);
}

TEST_CASE("newlines part words as spaces do") {
  CHECK(parse_query("select *\n  by date\r\n from quote\n where\tbid>5\n").ok());
}

TEST_CASE("a name of q's own functions may be a column where nothing follows it") {
  CHECK(parse_query("select type,max value by key from t where group>5, prev in `a").ok());
}

TEST_CASE("what is no select or exec is refused") {
  check_bad("@", "found the end of the query, expected select or exec");
  check_bad("@bid from quote", "found 'bid', expected select or exec");
  check_bad("@update bid:5 from quote",
            "found 'update' (tables are only read), expected select or exec");
  check_bad("@5", "found '5', expected select or exec");
}

TEST_CASE("a query that ends too early is refused at its end") {
  check_bad("select@",
            "found the end of the query, expected a column, count i or an aggregate of a column "
            "(count sum avg min max first last wavg dev med)");
  check_bad("select bid@", "found the end of the query, expected a comma, by or from");
  check_bad("select bid from@", "found the end of the query, expected a table's name");
  check_bad("select bid, @from quote",
            "found 'from', expected a column, count i or an aggregate of a column (count sum avg "
            "min max first last wavg dev med)");
  check_bad("select max bid by @from quote", "found 'from', expected a column to group by");
  check_bad("select bid wavg @from quote", "found 'from', expected one column after wavg");
}

TEST_CASE("a missing from is refused where it should stand") {
  check_bad("select bid @form quote", "found 'form', expected a comma, by or from");
  check_bad("select bid @where bid>5", "found 'where', expected a comma, by or from");
  check_bad("select max bid by col1 @where bid>5", "found 'where', expected a comma or from");
  check_bad("select from @where bid>5", "found 'where', expected a table's name");
}

TEST_CASE("trailing text is refused") {
  check_bad("select from quote @bid>5", "found 'bid', expected where or the end of the query");
  check_bad("select from quote @lj other",
            "found 'lj' (joins are not supported), expected where or the end of the query");
  check_bad("select from quote where bid>5 @bid",
            "found 'bid', expected a comma or the end of the query");
  check_bad("select from quote where bid>5@; select from quote",
            "found ';' (one query at a time), expected a comma or the end of the query");
  check_bad("select from quote where bid>5@)",
            "found ')', expected a comma or the end of the query");
  check_bad("select from quote@;",
            "found ';' (one query at a time), expected where or the end of the query");
}

TEST_CASE("limits, nested queries and functions are refused") {
  check_bad("select@[5] from quote", "select[...] is not supported: the whole result is returned");
  check_bad("select from @(select from quote)",
            "found '(' (nested queries are not supported), expected a table's name");
  check_bad("select from @select from quote",
            "found 'select' (nested queries are not supported), expected a table's name");
  check_bad("select from @`quote", "found the symbol `quote, expected a table's name");
  check_bad("select @distinct bid from quote",
            "found 'distinct' (functions are not supported), expected a column, count i or an "
            "aggregate of a column (count sum avg min max first last wavg dev med)");
  check_bad(
      "select count @distinct bid from quote",
      "found 'distinct' (functions are not supported), expected one column after count, or i");
  check_bad("select max@[bid] from quote",
            "found '[' (brackets are not supported), expected one column after max");
  check_bad("select sum @sums bid from quote",
            "found 'sums' (functions are not supported), expected one column after sum");
  check_bad("select max bid by @5 xbar time from quote",
            "found '5', expected a column to group by");
  check_bad("select bid by @upper col1 from quote",
            "found 'upper' (functions are not supported), expected a column to group by");
}

TEST_CASE("arithmetic is refused at its operator") {
  check_bad("select bid@-ask from quote",
            "found '-' (arithmetic is not supported), expected a comma, by or from");
  check_bad("select sum bid@*bsize from quote",
            "found '*' (arithmetic is not supported), expected a comma, by or from");
  check_bad("select @-bid from quote",
            "found '-' (arithmetic is not supported), expected a column, count i or an aggregate "
            "of a column (count sum avg min max first last wavg dev med)");
  check_bad("select bid @mod ask from quote",
            "found 'mod' (arithmetic is not supported), expected a comma, by or from");
  check_bad("select @5 from quote",
            "found '5', expected a column, count i or an aggregate of a column (count sum avg min "
            "max first last wavg dev med)");
}

TEST_CASE("a star stands alone") {
  check_bad("select *@,bid from quote",
            "found ',', expected by or from after *, which is all columns");
  check_bad("select bid,@* from quote", "* is all columns and stands alone");
  check_bad("select x:@* from quote", "* is all columns and stands alone");
}

}  // namespace hdbench
