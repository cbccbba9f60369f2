#include "pmem/free_room.h"

#include "engine/base/catch.h"
#include "pmem/test_files.h"

namespace hdbench {
namespace {

using testing::TemporaryDirectory;

TEST_CASE("no meminfo means no figure, and nothing is refused") {
  const TemporaryDirectory proc;
  CHECK_FALSE(memory_figure("MemAvailable", proc.path()).has_value());
  CHECK(require_memory("dram", std::size_t{1} << 60, proc.path()).ok());
}

TEST_CASE("memory that is not there is refused with both figures") {
  const TemporaryDirectory proc;
  testing::write_text(proc.path() / "meminfo",
                      "MemTotal:  2048 kB\nHugePages_Total: 0\nMemAvailable:   1024 kB\n");
  CHECK(memory_figure("MemTotal", proc.path()) == 2048 * 1024);
  CHECK(memory_figure("MemAvailable", proc.path()) == 1024 * 1024);
  CHECK(require_memory("dram", 1024 * 1024, proc.path()).ok());
  const auto refused = require_memory("dram", 1024 * 1024 + 1, proc.path());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "dram: 1048577 bytes of memory wanted, 1048576 available");
}

TEST_CASE("disk space that is not there is refused with both figures") {
  const TemporaryDirectory directory;
  CHECK(require_room_on_disk(directory.path(), 1).ok());
  const auto refused = require_room_on_disk(directory.path(), std::size_t{1} << 62);
  REQUIRE_FALSE(refused.ok());
  CHECK(testing::contains(refused.error().message, "4611686018427387904 bytes wanted, "));
  CHECK(testing::contains(refused.error().message, " free"));
  const auto missing = require_room_on_disk(directory.path() / "nowhere", 1);
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message == (directory.path() / "nowhere").string() + ": not a directory");
}

}  // namespace
}  // namespace hdbench
