#include "engine/column/column_error.h"

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench {
namespace {

TEST_CASE("a code outside its domain is reported with file, offset and both figures") {
  const std::int64_t codes[] = {0, 210};
  Column column = make_column<std::int64_t>(QType::kSymbol, codes, make_domain("sym", {"a", "b"}));
  column.source = "db/2020.11.14/flights/sym";
  column.data_offset = 4096;
  const Error error = code_outside_domain(column, 1, 210);
  CHECK(error.kind == ErrorKind::kData);
  CHECK(error.message ==
        "db/2020.11.14/flights/sym: byte 4104 (row 1): index 210, but domain sym has 2 symbols");
}

TEST_CASE("a code that was outside and is no more has changed while it was read") {
  const std::int64_t codes[] = {0, 1, 210};
  const Column column =
      make_column<std::int64_t>(QType::kSymbol, codes, make_domain("sym", {"a", "b"}));
  const auto all = [](std::uint64_t) { return true; };
  CHECK(seen_code_outside_domain(column, 0, 3, all).message ==
        code_outside_domain(column, 2, 210).message);
  const Error changed = seen_code_outside_domain(column, 0, 2, all);
  CHECK(changed.kind == ErrorKind::kData);
  CHECK(
      changed.message ==
      "a column in memory: rows 0 to 1: a value changed while it was read: nothing may write into "
      "a database that is queried");
}

TEST_CASE("a value that its index lacks is found among the selected rows only") {
  const std::int32_t dates[] = {5, 9, 6};
  Column column = make_column<std::int32_t>(QType::kDate, dates);
  const auto all = [](std::uint64_t) { return true; };
  const auto but_one = [](std::uint64_t row) { return row != 1; };
  CHECK_FALSE(find_value_outside(column, {5, 2}, 0, 3, but_one).has_value());
  const auto error = find_value_outside(column, {5, 2}, 0, 3, all);
  REQUIRE(error.has_value());
  CHECK(error->message ==
        "a column in memory: byte 4 (row 1): value 9, which its p# index does not have");
}

TEST_CASE("a column without file or domain is reported too") {
  const std::int32_t codes[] = {-1};
  const Column column = make_column<std::int32_t>(QType::kSymbol, codes);
  CHECK(code_outside_domain(column, 0, -1).message ==
        "a column in memory: byte 0 (row 0): index -1, but domain (none) has 0 symbols");
}

}  // namespace
}  // namespace hdbench
