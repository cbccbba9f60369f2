#include "pmem/machine/topology.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

TEST_CASE("a container without sysfs tells its memory and its mounts, and nothing else") {
  FakeMachine fake;
  make_container(fake);
  const Machine machine = read_machine(fake.paths());
  CHECK(machine.memory_bytes == std::uint64_t{8} << 30);
  REQUIRE(machine.mounts.size() == 1);
  CHECK(machine.mounts[0].options == "rw,relatime,lowerdir=/a");
  CHECK(machine.nodes.empty());
  CHECK(machine.pmem.regions.empty());
  CHECK_FALSE(machine.cxl.has_bus);
  CHECK_FALSE(machine.weighted_interleave.known);
}

TEST_CASE("a CXL region that the firmware made ordinary memory is known by its addresses") {
  FakeMachine fake;
  make_cxl(fake);
  std::filesystem::remove_all(fake.paths().sysfs / "bus/dax");
  const std::string region = "bus/cxl/devices/region0/resource";
  fake.sys("devices/system/memory/block_size_bytes", "80000000");
  fake.sys("devices/system/node/node0/memory0/online", "1");
  fake.sys("devices/system/node/node2/memory33/online", "1");
  CHECK(read_machine(fake.paths()).nodes[1].origin == MemoryOrigin::kUnknown);
  fake.sys(region, "0x1080000000");
  CHECK(read_machine(fake.paths()).nodes[0].origin == MemoryOrigin::kUnknown);
  CHECK(read_machine(fake.paths()).nodes[1].origin == MemoryOrigin::kCxl);
  fake.sys(region, "0x2000000000");
  CHECK(read_machine(fake.paths()).nodes[1].origin == MemoryOrigin::kUnknown);
}

TEST_CASE("a GPU's memory that became a node is known by its driver") {
  FakeMachine fake;
  fake.node(0, "0-7", 65536);
  fake.node(255, "", 16384);
  fake.proc("driver/nvidia/gpus/0004:04:00.0/numa_status",
            "Node:             255\nStatus:           online\n");
  fake.proc("driver/nvidia/gpus/0004:05:00.0/numa_status", "Node: 0\n");
  fake.proc("driver/nvidia/gpus/0004:06:00.0/numa_status", "unreadable\n");
  const Machine machine = read_machine(fake.paths());
  CHECK(machine.nodes[0].origin == MemoryOrigin::kUnknown);
  CHECK(machine.nodes[1].origin == MemoryOrigin::kGpu);
}

TEST_CASE("system-ram whose target node has CPUs changes nothing of the node") {
  FakeMachine fake;
  make_two_sockets(fake);
  fake.dax("dax0.0", "devices/platform/hmem.0/dax0.0", 1, true);
  fake.dax("dax1.0", "devices/platform/hmem.1/dax1.0", 7, true);
  const Machine machine = read_machine(fake.paths());
  REQUIRE(machine.nodes.size() == 2);
  CHECK(machine.nodes[1].origin == MemoryOrigin::kUnknown);
}

TEST_CASE("the real machine is read without privileges") {
  const Machine machine = read_machine();
  CHECK(machine.memory_bytes.has_value());
}

}  // namespace
}  // namespace hdbench::pmem
