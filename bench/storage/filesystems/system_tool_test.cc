#include "bench/storage/filesystems/system_tool.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench {

TEST_CASE("a program that is nowhere is not found, and not started") {
  CHECK(!find_tool("hdbench-no-such-program"));
  const Status status = run_tool({"/hdbench-no-such-program"});
  REQUIRE(!status.ok());
  CHECK(testing::contains(status.error().message, "No such file"));
}

TEST_CASE("a program that fails is named with its status and last words") {
  const auto shell = find_tool("sh");
  REQUIRE(shell);
  CHECK(run_tool({shell->string(), "-c", "echo fine"}).ok());
  const Status status = run_tool({shell->string(), "-c", "echo one; echo two >&2; echo; exit 7"});
  REQUIRE(!status.ok());
  CHECK(status.error().message == shell->string() + ": status 7: two");
}

}  // namespace hdbench
