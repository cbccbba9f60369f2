#include "bench/cli/table_flag.h"

#include "engine/base/catch.h"

using namespace hdbench;
using namespace hdbench::bench;

TEST_CASE("--table takes two words, and names them where it is given another") {
  CHECK(check_table_word("summary").ok());
  CHECK(check_table_word("full").ok());
  const Status other = check_table_word("some");
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().kind == ErrorKind::kUsage);
  CHECK(other.error().message == "--table: unknown value 'some': known are summary, full");
}
