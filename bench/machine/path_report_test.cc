#include "bench/machine/path_report.h"

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::bench {
namespace {

using testing::FakeMachine;

TEST_CASE("without arguments the current and the temporary directory are looked at") {
  const FakeMachine fake;
  const auto reports = report_paths({}, {}, fake.paths().sysfs);
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].why == "current directory");
  CHECK(reports[0].path == std::filesystem::current_path());
  CHECK(reports[1].why == "temporary directory");
  for (const PathReport& report : reports) {
    CHECK_FALSE(report.mount.has_value());
    CHECK_FALSE(report.device.has_value());
  }
}

TEST_CASE("a path has its mount and its device, even where it does not exist") {
  FakeMachine fake;
  fake.link("dev/block/254:1", "devices/virtio0/block/vda");
  fake.sys("devices/virtio0/block/vda/queue/rotational", "1");
  fake.link("class/block/vda", "devices/virtio0/block/vda");
  fake.proc("self/mountinfo",
            "27 1 254:1 / / rw - ext4 /dev/root rw\n"
            "28 27 0:30 / /absent/ram rw,nosuid - tmpfs tmpfs rw,size=1k\n");
  const Machine machine = read_machine(fake.paths());
  const auto reports =
      report_paths({"/absent/file", "/absent/ram/file"}, machine, fake.paths().sysfs);
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].why.empty());
  REQUIRE(reports[0].mount.has_value());
  CHECK(reports[0].mount->device == "/dev/vda");
  REQUIRE(reports[0].device.has_value());
  CHECK(reports[0].device->rotational == true);
  REQUIRE(reports[1].mount.has_value());
  CHECK(reports[1].mount->options == "rw,nosuid,size=1k");
  CHECK_FALSE(reports[1].device.has_value());
}

}  // namespace
}  // namespace hdbench::bench
