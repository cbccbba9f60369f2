#include "bench/kdb/what_if.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string schema_error(std::string_view schema, bool is_partitioned = false) {
  const auto table = what_if_table("--table", schema, is_partitioned, "select from t");
  REQUIRE(!table.ok());
  CHECK(table.error().kind == ErrorKind::kUsage);
  return table.error().message;
}

TEST_CASE("a schema's text gives types, attributes and the query's symbols") {
  const auto table = what_if_table("--table", "date:d, sym:s:p, text:C, price:f", true,
                                   "select from t where sym in `a`b`a");
  REQUIRE(table.ok());
  const Schema& schema = (*table)->schema();
  REQUIRE(schema.fields.size() == 4);
  CHECK(schema.partitioned);
  CHECK((schema.fields[0].type == QType::kDate && schema.fields[2].type == QType::kNested));
  CHECK(schema.fields[1].attribute == Attribute::kParted);
  REQUIRE(schema.fields[1].domain);
  CHECK(schema.fields[1].domain->stored_size() == 2);
  CHECK((*table)->part_count() == 0);
  const auto flat = what_if_table("--table", "x:j:s", false, "select from t");
  REQUIRE(flat.ok());
  CHECK(((*flat)->part_count() == 1 && *(*flat)->rows(0) == 0));
}

TEST_CASE("a wrong schema is refused, its item named") {
  CHECK(schema_error("x") == "--table: 'x', expected NAME:TYPE such as price:f");
  CHECK(schema_error("x:jj") == "--table: 'x:jj', expected NAME:TYPE such as price:f");
  CHECK(schema_error("x:q") == "--table: no type has the letter 'q'");
  CHECK(schema_error("x:j:z") == "--table: 'z' is no attribute, expected s, u, p or g");
  CHECK(schema_error("x:j,x:f") == "--table: column x is given twice");
  CHECK(schema_error("price:f", true).starts_with("--table: the first column is price"));
  CHECK_FALSE(what_if_table("--table", "x:j", false, "select \"a").ok());
}

}  // namespace
}  // namespace hdbench::bench
