#include "bench/storage/volumes/throttle.h"

#include <unistd.h>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

MachinePaths fake_machine(const TemporaryDirectory& folder) {
  return {folder.path() / "sys", folder.path() / "proc"};
}

const std::string kOwn = std::to_string(getpid());

}  // namespace

TEST_CASE("a machine without control groups says what it lacks") {
  const TemporaryDirectory folder;
  const auto guard = Guard::start().value();
  const auto throttle = Throttle::make("254:0", *guard, fake_machine(folder));
  REQUIRE(!throttle.ok());
  CHECK(testing::contains(throttle.error().message, "neither blkio.throttle nor an io controller"));
}

TEST_CASE("version 1: a group of its own, entered, left and removed") {
  const TemporaryDirectory folder;
  const MachinePaths paths = fake_machine(folder);
  const auto blkio = paths.sysfs / "fs/cgroup/blkio";
  write_text(blkio / "blkio.throttle.read_bps_device", "");
  write_text(paths.procfs / "self/cgroup", "8:pids:/x\n7:blkio:/mine\n0::/\n");
  std::filesystem::create_directory(blkio / "mine");
  // A name by process number may have been planted; the group's is another.
  const auto elsewhere = folder.path() / "elsewhere";
  std::filesystem::create_directory(elsewhere);
  std::filesystem::create_directory_symlink(elsewhere, blkio / ("hdbench-" + kOwn));
  const auto guard = Guard::start().value();
  auto throttle = Throttle::make("254:0", *guard, paths);
  REQUIRE(throttle.ok());
  const std::filesystem::path group = (*throttle)->group();
  CHECK(group.parent_path() == blkio);
  CHECK(group.filename().string().starts_with("hdbench-"));
  CHECK_FALSE(std::filesystem::is_symlink(group));
  CHECK(testing::entries_in(elsewhere) == 0);
  CHECK((*throttle)->version() == CgroupVersion::kOne);
  REQUIRE((*throttle)->set({1e6, 0}).ok());
  for (const char* kind : {"read", "write"}) {
    const std::string head = std::string("blkio.throttle.") + kind;
    CHECK(testing::file_text(group / (head + "_bps_device")) == "254:0 1000000");
    CHECK(testing::file_text(group / (head + "_iops_device")) == "254:0 0");
  }
  REQUIRE((*throttle)->enter().ok());
  CHECK(testing::file_text(group / "cgroup.procs") == kOwn);
  CHECK((*throttle)->use().bytes == 0);
  write_text(group / "blkio.throttle.io_service_bytes",
             "254:0 Read 10\n254:0 Write 5\n254:0 Sync 15\n254:0 Total 15\n7:0 Read 100\n"
             "Total 115\n");
  CHECK((*throttle)->use().bytes == 15);
  throttle = data_error("dropped");
  CHECK(testing::file_text(blkio / "mine/cgroup.procs") == kOwn);
  // A fake group has files that the kernel's has not, so it cannot be removed as one.
  std::filesystem::remove_all(group);
  CHECK(guard->finish().ok());
}

TEST_CASE("version 2: the io controller is enabled for groups below") {
  const TemporaryDirectory folder;
  const MachinePaths paths = fake_machine(folder);
  const auto unified = paths.sysfs / "fs/cgroup/unified";
  write_text(unified / "cgroup.controllers", "cpu io memory\n");
  write_text(unified / "cgroup.subtree_control", "");
  write_text(paths.procfs / "self/cgroup", "0::/\n");
  const auto guard = Guard::start().value();
  const auto throttle = Throttle::make("254:0", *guard, paths);
  REQUIRE(throttle.ok());
  CHECK(testing::file_text(unified / "cgroup.subtree_control") == "+io");
  const std::filesystem::path group = (*throttle)->group();
  REQUIRE((*throttle)->set({0, 500}).ok());
  CHECK(testing::file_text(group / "io.max") == "254:0 rbps=max wbps=max riops=500 wiops=500");
  write_text(group / "io.stat",
             "7:0 rbytes=1 wbytes=1 rios=1 wios=1 dbytes=0 dios=0\n"
             "254:0 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=9 dios=9\n");
  CHECK((*throttle)->use().bytes == 12288);
  CHECK((*throttle)->use().ios == 3);
  std::filesystem::remove_all(group);
  CHECK(guard->finish().ok());
}

TEST_CASE("memory is no disk to throttle") {
  const TemporaryDirectory folder;
  const MachinePaths paths = fake_machine(folder);
  write_text(paths.procfs / "self/mountinfo", "1 1 0:5 / / rw - tmpfs tmpfs rw\n");
  const auto disk = whole_disk("/", paths);
  REQUIRE(!disk.ok());
  CHECK(testing::contains(disk.error().message, "no block device"));
}

}  // namespace hdbench::bench
