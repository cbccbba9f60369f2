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

TEST_CASE("a column without file or domain is reported too") {
  const std::int32_t codes[] = {-1};
  const Column column = make_column<std::int32_t>(QType::kSymbol, codes);
  CHECK(code_outside_domain(column, 0, -1).message ==
        "a column in memory: byte 0 (row 0): index -1, but domain (none) has 0 symbols");
}

}  // namespace
}  // namespace hdbench
