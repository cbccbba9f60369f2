#include "pmem/media_list.h"

#include "engine/base/catch.h"
#include "pmem/persistent.h"
#include "pmem/test_files.h"

namespace hdbench {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

Result<bool> is_pmem(const std::filesystem::path&) { return true; }
Result<bool> is_not_pmem(const std::filesystem::path&) { return false; }

TEST_CASE("a machine that shows nothing still has a line for each medium") {
  const TemporaryDirectory root;
  const auto media = list_media({}, read_machine({root.path(), root.path()}), is_not_pmem);
  REQUIRE(media.size() == 5);
  const std::vector<std::string> names = {"nvme", "dram", "app-direct", "memory-mode", "cxl"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(media[i].name == names[i]);
    CHECK_FALSE(media[i].reason.empty());
  }
  CHECK(media[2].state == "absent");
  CHECK(media[3].state == "absent");
  CHECK(media[4].state == "absent");
}

TEST_CASE("a plain machine says what is missing for memory-mode and cxl") {
  const TemporaryDirectory root;
  write_text(root.path() / "sys/devices/system/node/node0/cpulist", "0-1\n");
  write_text(root.path() / "sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 1024 kB\n");
  Machine machine = read_machine({root.path() / "sys", root.path() / "proc"});
  CHECK(memory_mode_status(machine).reason == "no memory-side cache in /sys/devices/system/node");
  CHECK(cxl_status(machine).reason == "no CPU-less NUMA node with memory");
  machine.pmem.dax_devices = {{"dax0.0", 1 << 30, 2, false}, {"dax1.0", 1 << 30, 3, true}};
  CHECK(cxl_status(machine).reason ==
        "no CPU-less NUMA node with memory; dax0.0 is in devdax mode: "
        "daxctl reconfigure-device --mode=system-ram dax0.0");
}

TEST_CASE("a CPU-less node, a memory-side cache and a DAX mount are real") {
  const TemporaryDirectory root;
  const auto nodes = root.path() / "sys/devices/system/node";
  write_text(nodes / "node0/cpulist", "0-1\n");
  write_text(nodes / "node0/meminfo", "Node 0 MemTotal: 4194304 kB\n");
  write_text(nodes / "node0/memory_side_cache/index1/size", "134217728\n");
  write_text(nodes / "node0/memory_side_cache/index1/line_size", "64\n");
  write_text(nodes / "node1/cpulist", "\n");
  write_text(nodes / "node1/meminfo", "Node 1 MemTotal: 1048576 kB\n");
  write_text(root.path() / "proc/meminfo", "MemTotal: 5242880 kB\n");
  write_text(root.path() / "proc/self/mountinfo",
             "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
             "40 27 259:0 / /mnt/pmem rw - ext4 /dev/pmem0 rw,dax=always\n");
  const Machine machine = read_machine({root.path() / "sys", root.path() / "proc"});
  const auto media = list_media({"/data", {}}, machine, is_pmem);
  REQUIRE(media.size() == 5);
  CHECK(media[0].state == "real");
  CHECK(media[0].reason == "/data (ext4 on /dev/vda)");
  CHECK(media[1].state == "real");
  CHECK(testing::contains(media[1].reason, "5.0 GiB on 2 nodes"));
  if (persistent_absence() == nullptr) {
    CHECK(media[2].state == "real");
    CHECK(media[2].reason == "/mnt/pmem (ext4 on /dev/pmem0)");
  } else {
    CHECK(media[2].state == "absent");
  }
  CHECK(media[3].state == "real");
  CHECK(testing::contains(media[3].reason, "node0 has a memory-side cache of 128 MiB"));
  CHECK(media[4].state == "real");
  CHECK(testing::contains(media[4].reason, "node1 has 1.0 GiB and no CPUs"));
}

TEST_CASE("scratch space in memory or on a network is not called a disk") {
  Machine machine;
  machine.mounts = {{"/", "overlay", "overlay", MountKind::kOther, false, false},
                    {"/ram", "tmpfs", "tmpfs", MountKind::kMemory, false, false}};
  CHECK(list_media({"/ram", {}}, machine, is_not_pmem)[0].state == "emulated");
  CHECK(list_media({"/box", {}}, machine, is_not_pmem)[0].reason ==
        "/box (overlay): the disk below is not known");
}

}  // namespace
}  // namespace hdbench
