#include "pmem/base/free_room.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

// A machine without control groups.
MachinePaths paths_of(const TemporaryDirectory& proc) { return {proc.path() / "sys", proc.path()}; }

TEST_CASE("no meminfo means no figure, and nothing is refused") {
  const TemporaryDirectory proc;
  CHECK_FALSE(memory_figure("MemAvailable", proc.path()).has_value());
  CHECK(require_memory("dram", std::size_t{1} << 60, paths_of(proc)).ok());
}

TEST_CASE("memory that is not there is refused with both figures") {
  const TemporaryDirectory proc;
  testing::write_text(proc.path() / "meminfo",
                      "MemTotal:  2048 kB\nHugePages_Total: 0\nMemAvailable:   1024 kB\n");
  CHECK(memory_figure("MemTotal", proc.path()) == 2048 * 1024);
  CHECK(memory_figure("MemAvailable", proc.path()) == 1024 * 1024);
  // An eighth is kept back.
  CHECK(require_memory("dram", 896 * 1024, paths_of(proc)).ok());
  const auto refused = require_memory("dram", 896 * 1024 + 1, paths_of(proc));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kLimit);
  CHECK(refused.error().message ==
        "dram: 917505 bytes of memory wanted, 917504 left: what the machine leaves");
}

TEST_CASE("a control group's limit counts where it leaves less than the machine has") {
  testing::FakeMachine machine;
  machine.proc("meminfo", "MemTotal: 2048 kB\nMemAvailable: 1024 kB\n");
  machine.proc("self/cgroup", "0::/box\n");
  machine.sys("fs/cgroup/box/memory.max", "600000");
  machine.sys("fs/cgroup/box/memory.current", "100000");
  CHECK(available_memory(machine.paths()) == 500000);
  const auto refused = require_memory("dram", 437501, machine.paths());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message ==
        "dram: 437501 bytes of memory wanted, 437500 left: what the control group (0 MiB) leaves");
  machine.sys("fs/cgroup/box/memory.max", "9000000");
  CHECK(available_memory(machine.paths()) == 1024 * 1024);
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
}  // namespace hdbench::pmem
