#include "queries/column_lookup.h"

#include "engine/base/catch.h"
#include "queries/sample_table.h"

namespace hdbench::queries {

TEST_CASE("a column is found by its whole name") {
  const auto field = find_column(sample_table(), {"col3", 0});
  REQUIRE(field.ok());
  CHECK(*field == 4);
  CHECK_FALSE(find_column(sample_table(), {"col", 0}).ok());
  CHECK_FALSE(find_column(sample_table(), {"COL3", 0}).ok());
}

TEST_CASE("a table of few columns names them all") {
  Schema schema;
  schema.fields.push_back({"a", QType::kLong, Attribute::kNone, nullptr});
  schema.fields.push_back({"b", QType::kLong, Attribute::kNone, nullptr});
  const std::vector<std::int64_t> none;
  const Column column = make_column<std::int64_t>(QType::kLong, none);
  const MemoryTable table("t", schema, {{0, {column, column}}});
  const auto field = find_column(table, {"c", 7});
  REQUIRE_FALSE(field.ok());
  CHECK(field.error().message == "t has no column 'c', its columns are: a b");
  CHECK(field.error().caret == 7U);
}

TEST_CASE("a column that cannot be read may be named where nothing is run") {
  Schema schema;
  schema.fields.push_back({"a", QType::kLong, Attribute::kNone, nullptr});
  schema.fields.push_back(
      {"b", QType::kSymbol, Attribute::kNone, nullptr, data_error("t/b: type 99")});
  const std::vector<std::int64_t> none;
  const Column column = make_column<std::int64_t>(QType::kLong, none);
  const MemoryTable table("t", schema, {{0, {column, column}}});
  const auto bind = [&](const std::string& text) {
    return Query::parse(text).value().bind(table, Unreadable::kNamed);
  };
  for (const char* text :
       {"select max b from t", "select count i by b from t", "select a from t where b=1, a<2",
        "select from t where b like \"x\"", "select b.price wavg a from t", "exec b from t",
        "select 1+max b from t", "select a+b from t where (a<2)|b=`x", "select count b from t"}) {
    INFO(text);
    CHECK(bind(text).ok());
  }
  CHECK(bind("select c from t").error().caret == 7U);
  CHECK_FALSE(bind("select a from t where a=`x").ok());
}

TEST_CASE("a column that cannot be read is refused where it is named, with the reason") {
  Schema schema;
  schema.fields.push_back({"a", QType::kLong, Attribute::kNone, nullptr});
  schema.fields.push_back(
      {"b", QType::kLong, Attribute::kNone, nullptr, data_error("t/b: type 99")});
  const std::vector<std::int64_t> none;
  const Column column = make_column<std::int64_t>(QType::kLong, none);
  const MemoryTable table("t", schema, {{0, {column, column}}});
  const auto bind = [&](const std::string& text) { return Query::parse(text).value().bind(table); };
  for (const char* text :
       {"select max b from t", "select count i by b from t", "select from t where b=1",
        "select count b from t", "select from t", "select by a from t", "exec b from t"}) {
    INFO(text);
    const auto plan = bind(text);
    REQUIRE_FALSE(plan.ok());
    CHECK(plan.error().kind == ErrorKind::kData);
    CHECK(plan.error().message == "t/b: type 99");
  }
  CHECK_FALSE(bind("select max b from t").error().caret);
  CHECK(bind("select max a from t").ok());
  CHECK(bind("select count i from t where a>1").ok());
}

TEST_CASE("an unknown column is refused at its name, with the known ones") {
  check_bad("select @nope from quote",
            "quote has no column 'nope', its columns are: date time col1 col2 col3 bid ask bsize "
            "asize bx gx xx hx ix ex cx px mx zx nx and 3 more");
  check_bad("select max @nope from quote",
            "quote has no column 'nope', its columns are: date time col1 col2 col3 bid ask bsize "
            "asize bx gx xx hx ix ex cx px mx zx nx and 3 more");
  check_bad("select bsize wavg @nope from quote",
            "quote has no column 'nope', its columns are: date time col1 col2 col3 bid ask bsize "
            "asize bx gx xx hx ix ex cx px mx zx nx and 3 more");
  check_bad("select by date,@nope from quote",
            "quote has no column 'nope', its columns are: date time col1 col2 col3 bid ask bsize "
            "asize bx gx xx hx ix ex cx px mx zx nx and 3 more");
  check_bad("select from quote where bid>5,@nope=5",
            "quote has no column 'nope', its columns are: date time col1 col2 col3 bid ask bsize "
            "asize bx gx xx hx ix ex cx px mx zx nx and 3 more");
  check_bad("select from quote where @date.nope=2020.01m",
            "quote has no column 'date.nope', its columns are: date time col1 col2 col3 bid ask "
            "bsize asize bx gx xx hx ix ex cx px mx zx nx and 3 more");
}

}  // namespace hdbench::queries
