#include "bench/machine/topo_report.h"

#include <nlohmann/json.hpp>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "pmem/media/media_list.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::bench {
namespace {

using testing::contains;
using testing::FakeMachine;

Result<bool> is_pmem(const std::filesystem::path&) { return true; }

TopoReport report_of(const FakeMachine& fake) {
  TopoReport report;
  report.host = read_host(1, fake.paths().procfs, fake.paths().sysfs);
  report.machine = read_machine(fake.paths());
  report.paths = report_paths({}, report.machine, fake.paths().sysfs);
  report.media = list_media({}, report.machine, is_pmem);
  report.setup = setup_steps(report.machine);
  return report;
}

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

TEST_CASE("a machine that shows nothing has every heading and every field") {
  const FakeMachine fake;
  const TopoReport report = report_of(fake);
  const std::string text = topo_text(report);
  for (const std::string part :
       {"NUMA nodes\n", "none shown in /sys/devices/system/node",
        "weighted interleave: not in this kernel", "persistent memory and DAX (sysfs", "none\n",
        "no CXL bus", "(current directory): no mount is listed", "memory-mode  absent",
        "never held against a real CXL device"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
  const auto json = topo_json(report);
  for (const std::string field : {"format", "host", "nodes", "weighted_interleave", "pmem", "dax",
                                  "dax_mounts", "cxl", "paths", "media", "setup"}) {
    INFO(field);
    CHECK(json.contains(field));
  }
  CHECK(json.size() == 11);
  CHECK(json["nodes"].is_array());
  CHECK(json["paths"][0]["mount"].is_null());
  CHECK(json["host"]["mhz"].is_null());
}

TEST_CASE("devices that are not as wanted have their commands, each in a line, and in JSON") {
  FakeMachine fake;
  make_cxl(fake);
  CHECK(topo_json(report_of(fake))["setup"].empty());
  CHECK_FALSE(contains(topo_text(report_of(fake)), "not as wanted"));
  fake.dax("dax1.0", "devices/platform/hmem.0/dax1.0", 3, false);
  const TopoReport report = report_of(fake);
  CHECK(contains(topo_text(report),
                 "\nnot as wanted (commands for root; topo --want)\n  dax1.0 is in devdax mode; "
                 "wanted: system-ram: a node without CPUs, online as movable\n"
                 "    daxctl reconfigure-device --mode=system-ram dax1.0\n"));
  const auto step = topo_json(report)["setup"][0];
  CHECK(step["device"] == "dax1.0");
  CHECK(step["commands"].size() == 1);
  CHECK(step["remark"] == "");
}

TEST_CASE("Memory Mode's near cache is reported in text and JSON") {
  FakeMachine fake;
  make_memory_mode(fake);
  const TopoReport report = report_of(fake);
  CHECK(contains(topo_text(report),
                 "    memory-side cache: level 1, 192.0 GiB, 64-byte lines, direct, write-back\n"));
  const auto cache = topo_json(report)["nodes"][1]["memory_side_caches"][0];
  CHECK(cache["bytes"] == std::uint64_t{192} << 30);
  CHECK(cache["write_policy"] == "write-back");
}

TEST_CASE("App Direct's regions, namespaces, devices and mounts are reported") {
  FakeMachine fake;
  make_app_direct(fake);
  const TopoReport report = report_of(fake);
  const std::string text = topo_text(report);
  CHECK(contains(text,
                 "  region0: 756.0 GiB, near node 0, persistence domain memory_controller, 3 "
                 "namespaces\n    namespace0.0: fsdax, 248.1 GiB, /dev/pmem0\n"));
  CHECK(contains(text, "    namespace0.2: devdax, 1.0 GiB\n"));
  CHECK(contains(text, "  dax0.1: 1.0 GiB, persistent memory, devdax\n"));
  CHECK(contains(text, "  /mnt/pmem: ext4 on /dev/pmem0, with dax\n"));
  const auto json = topo_json(report);
  CHECK(json["pmem"]["regions"][0]["namespaces"][1]["mode"] == "raw");
  CHECK(json["dax"][0]["system_ram"] == false);
  CHECK(json["dax_mounts"][0]["directory"] == "/mnt/pmem");
}

TEST_CASE("a CXL machine's node, firmware figures, devices and weights are reported") {
  FakeMachine fake;
  make_cxl(fake);
  TopoReport report = report_of(fake);
  const std::string text = topo_text(report);
  CHECK(contains(text,
                 "  node2: 32.0 GiB, 16.0 GiB available, no CPUs, cxl, distances 14 10, "
                 "memory tier 22\n    reported by the firmware (access0, from node 0): read "
                 "28800 MB/s, write 28800 MB/s, read 270 ns, write 270 ns\n"));
  CHECK(contains(text, "  weighted interleave: node0 3, node2 1\n"));
  CHECK(contains(text, "  mem0: 32.0 GiB ram, 0 KiB pmem, near node 0, PCI 0000:35:00.0\n"));
  CHECK(contains(text, "  region0: 32.0 GiB ram, committed, 1 way by 256 bytes, dax0.0\n"));
  CHECK(contains(text, "  decoder0.0: root, 32.0 GiB at 0x1080000000\n"));
  CHECK(contains(text, "  dax0.0: 1.0 GiB, cxl, system-ram as node2\n"));
  const auto json = topo_json(report);
  CHECK(json["nodes"][1]["access"][0]["read_mb_s"] == 28800);
  CHECK(json["nodes"][1]["origin"] == "cxl");
  CHECK(json["weighted_interleave"]["weights"]["2"] == 1);
  CHECK(json["weighted_interleave"]["automatic"] == false);
  CHECK(json["cxl"]["regions"][0]["dax"][0] == "dax0.0");
}

}  // namespace
}  // namespace hdbench::bench
