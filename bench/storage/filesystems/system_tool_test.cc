#include "bench/storage/filesystems/system_tool.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench {

TEST_CASE("a program that is nowhere is not found") {
  CHECK(!has_tool("hdbench-no-such-program"));
  const auto said = run_tool({"/hdbench-no-such-program"});
  REQUIRE(!said.ok());
  CHECK(testing::contains(said.error().message, "/hdbench-no-such-program: status 127: "));
}

TEST_CASE("a program's words reach it whole, and what it writes comes back") {
  CHECK(has_tool("sh"));
  const auto said = run_tool({"printf", "%s", "it's $HOME; *"});
  REQUIRE(said.ok());
  CHECK(*said == "it's $HOME; *");
}

TEST_CASE("a program that fails is named with its status and last words") {
  const auto said = run_tool({"sh", "-c", "echo one; echo two >&2; echo; exit 7"});
  REQUIRE(!said.ok());
  CHECK(said.error().message == "sh: status 7: two");
}

}  // namespace hdbench
