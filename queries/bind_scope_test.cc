#include "queries/bind_scope.h"

#include "engine/base/catch.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {
namespace {

// t: a, and b, which cannot be read.
MemoryTable half_readable() {
  Schema schema;
  schema.fields.push_back({"a", QType::kLong, Attribute::kNone, nullptr});
  schema.fields.push_back(
      {"b", QType::kSymbol, Attribute::kNone, nullptr, data_error("t/b: type 99")});
  const std::vector<std::int64_t> none;
  const Column column = make_column<std::int64_t>(QType::kLong, none);
  return MemoryTable("t", schema, {{0, {column, column}}});
}

}  // namespace

TEST_CASE("a column is found by its whole name") {
  CHECK(find_column(sample_table(), {"col3", 0}).value() == 4);
  CHECK_FALSE(find_column(sample_table(), {"col", 0}).ok());
  CHECK_FALSE(find_column(sample_table(), {"COL3", 0}).ok());
  const Error few = find_column(half_readable(), {"c", 7}).error();
  CHECK(few.message == "t has no column 'c', its columns are: a b");
  CHECK(few.caret == 7U);
}

TEST_CASE("a column that cannot be read may be named where nothing is run") {
  const MemoryTable table = half_readable();
  const auto bind_named = [&](const std::string& text) {
    return bind_text(text, table, {.find = {}, .unreadable = Unreadable::kNamed});
  };
  for (const char* text :
       {"select max b from t", "select count i by b from t", "select a from t where b=1, a<2",
        "select from t where b like \"x\"", "select b.price wavg a from t", "exec b from t",
        "select 1+max b from t", "select a+b from t where (a<2)|b=`x", "select count b from t"}) {
    INFO(text);
    CHECK(bind_named(text).ok());
  }
  CHECK(bind_named("select c from t").error().caret == 7U);
  CHECK_FALSE(bind_named("select a from t where a=`x").ok());
}

TEST_CASE("a column that cannot be read is refused where it is named, with the reason") {
  const MemoryTable table = half_readable();
  for (const char* text :
       {"select max b from t", "select count i by b from t", "select from t where b=1",
        "select count b from t", "select from t", "select by a from t", "exec b from t"}) {
    INFO(text);
    const auto plan = bind_text(text, table);
    REQUIRE_FALSE(plan.ok());
    CHECK(plan.error().kind == ErrorKind::kData);
    CHECK(plan.error().message == "t/b: type 99");
    CHECK_FALSE(plan.error().caret);
  }
  CHECK(bind_text("select max a from t", table).ok());
  CHECK(bind_text("select count i from t where a>1", table).ok());
}

TEST_CASE("an unknown column is refused at its name, with the known ones") {
  for (const char* text : {"select @nope from quote", "select max @nope from quote",
                           "select bsize wavg @nope from quote", "select by date,@nope from quote",
                           "select from quote where bid>5,@nope=5", "select sums @nope from quote",
                           "select from quote where bid=(max;@nope) fby col1"}) {
    check_bad(text,
              "quote has no column 'nope', its columns are: date time col1 col2 col3 bid ask bsize "
              "asize bx gx xx hx ix ex cx px mx zx nx and 3 more");
  }
  CHECK(bind_bad("select from quote where date.nope=2020.01m")
            .message.starts_with("'type: a date has no part nope; its parts are: date month"));
}

TEST_CASE("names that are no columns are parameters, wherever a literal may stand") {
  const QueryParams params = {{"few", *parse_param("`val1`val3")},
                              {"least", *parse_param("5")},
                              {"span", *parse_param("2020.01.03 2020.01.31")},
                              {"kind", *parse_param("`long")},
                              {"bid", *parse_param("7")}};
  const auto plan_of = [&](const std::string& text) {
    const auto plan = bind_text(text, sample_table(), {.find = {}, .params = params});
    INFO(text);
    if (!plan.ok()) FAIL(plan.error().message);
    return **plan;
  };
  const Plan plan = plan_of("select x:bid*least from quote where col1 in few,bid>least");
  CHECK(std::get<CodeTest>(plan.where[0].test).codes == std::vector<std::uint64_t>{0, 2});
  CHECK(plan.computed.size() == 1);
  CHECK(
      std::get<RangeTest>(plan_of("select from quote where date within span").where[0].test).high ==
      7335);
  CHECK(plan_of("select kind$bid from quote").computed.size() == 1);
  CHECK(plan_of("select bid+least from quote").outputs[0].name == "bid");
  CHECK(plan_of("select max[bid]-least by col1 from quote").results.size() == 1);
  CHECK(plan_of("select least mavg bid from quote").source->windows[0].length == 5);
  CHECK(plan_of("select from quote where bid in exec bid from quote where bid>least")
            .condition_queries.size() == 1);
  const auto unknown =
      bind_text("select from quote where bid>most", sample_table(), {.find = {}, .params = params});
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().caret == 28);
  const auto wrong =
      bind_text("select from quote where bid<few", sample_table(), {.find = {}, .params = params});
  CHECK(wrong.error().caret == 28);
}

}  // namespace hdbench::queries
