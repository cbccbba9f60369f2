#include "bench/storage/volumes/throttle.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

MachinePaths fake_machine(const TemporaryDirectory& folder) {
  return {folder.path() / "sys", folder.path() / "proc"};
}

const std::string kOwn = std::to_string(getpid());

}  // namespace

TEST_CASE("a machine without control groups says what it lacks") {
  const TemporaryDirectory folder;
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  const auto throttle = Throttle::make("254:0", **guard, fake_machine(folder));
  REQUIRE(!throttle.ok());
  CHECK(testing::contains(throttle.error().message, "neither blkio.throttle nor an io controller"));
}

TEST_CASE("no cap is 0 for version 1 and max for version 2") {
  const auto one = throttle_lines(CgroupVersion::kOne, "7:0", {});
  REQUIRE(one.size() == 4);
  for (const CgroupLine& line : one) CHECK(line.text == "7:0 0");
  const auto two = throttle_lines(CgroupVersion::kTwo, "7:0", {});
  REQUIRE(two.size() == 1);
  CHECK(two[0].text == "7:0 rbps=max wbps=max riops=max wiops=max");
}

TEST_CASE("caps hold reads and writes alike") {
  const DeviceCaps gp3{131072000, 3000};
  const auto one = throttle_lines(CgroupVersion::kOne, "254:0", gp3);
  CHECK(one[0].file == "blkio.throttle.read_bps_device");
  CHECK(one[0].text == "254:0 131072000");
  CHECK(one[1].file == "blkio.throttle.write_bps_device");
  CHECK(one[1].text == "254:0 131072000");
  CHECK(one[2].file == "blkio.throttle.read_iops_device");
  CHECK(one[2].text == "254:0 3000");
  CHECK(one[3].file == "blkio.throttle.write_iops_device");
  const auto two = throttle_lines(CgroupVersion::kTwo, "254:0", gp3);
  CHECK(two[0].file == "io.max");
  CHECK(two[0].text == "254:0 rbps=131072000 wbps=131072000 riops=3000 wiops=3000");
}

TEST_CASE("use is that of the one device, reads and writes, no totals") {
  CHECK(parse_serviced("", "7:0") == 0);
  CHECK(parse_serviced("Total 12\n", "7:0") == 0);
  CHECK(parse_serviced("7:0 Read 10\n7:0 Write 5\n7:0 Sync 15\n7:0 Total 15\n254:0 Read 100\n"
                       "Total 115\n",
                       "7:0") == 15);
  CHECK(parse_io_stat("", "7:0").bytes == 0);
  const DeviceUse use = parse_io_stat(
      "254:0 rbytes=1 wbytes=1 rios=1 wios=1 dbytes=0 dios=0\n"
      "7:0 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=9 dios=9\n",
      "7:0");
  CHECK(use.bytes == 12288);
  CHECK(use.ios == 3);
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
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  auto throttle = Throttle::make("254:0", **guard, paths);
  REQUIRE(throttle.ok());
  const std::filesystem::path group = (*throttle)->group();
  CHECK(group.parent_path() == blkio);
  CHECK(group.filename().string().starts_with("hdbench-"));
  CHECK_FALSE(std::filesystem::is_symlink(group));
  CHECK(testing::entries_in(elsewhere) == 0);
  CHECK((*throttle)->version() == CgroupVersion::kOne);
  REQUIRE((*throttle)->set({1e6, 0}).ok());
  CHECK(read_text(group / "blkio.throttle.read_bps_device") == "254:0 1000000");
  REQUIRE((*throttle)->enter().ok());
  CHECK(read_text(group / "cgroup.procs") == kOwn);
  write_text(group / "blkio.throttle.io_service_bytes", "254:0 Read 7\nTotal 7\n");
  CHECK((*throttle)->use().bytes == 7);
  throttle = data_error("dropped");
  CHECK(read_text(blkio / "mine/cgroup.procs") == kOwn);
  // A fake group has files that the kernel's has not, so it cannot be removed as one.
  std::filesystem::remove_all(group);
  CHECK((*guard)->finish().ok());
}

TEST_CASE("version 2: the io controller is enabled for groups below") {
  const TemporaryDirectory folder;
  const MachinePaths paths = fake_machine(folder);
  const auto unified = paths.sysfs / "fs/cgroup/unified";
  write_text(unified / "cgroup.controllers", "cpu io memory\n");
  write_text(unified / "cgroup.subtree_control", "");
  write_text(paths.procfs / "self/cgroup", "0::/\n");
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  const auto throttle = Throttle::make("254:0", **guard, paths);
  REQUIRE(throttle.ok());
  CHECK(read_text(unified / "cgroup.subtree_control") == "+io");
  const std::filesystem::path group = (*throttle)->group();
  REQUIRE((*throttle)->set({0, 500}).ok());
  CHECK(read_text(group / "io.max") == "254:0 rbps=max wbps=max riops=500 wiops=500");
  std::filesystem::remove_all(group);
  CHECK((*guard)->finish().ok());
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
