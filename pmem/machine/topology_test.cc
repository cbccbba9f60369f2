#include "pmem/machine/topology.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;
using testing::TemporaryDirectory;
using testing::write_text;

TEST_CASE("a container that shows nothing makes empty lists") {
  const TemporaryDirectory root;
  const Machine machine = read_machine({root.path() / "sys", root.path() / "proc"});
  CHECK(machine.mounts.empty());
  CHECK(machine.nodes.empty());
  CHECK_FALSE(machine.memory_bytes.has_value());
  CHECK(machine.transparent_huge_pages.empty());
  CHECK(machine.pmem.regions.empty());
}

TEST_CASE("nodes with and without CPUs and a memory-side cache are read") {
  const TemporaryDirectory root;
  const auto nodes = root.path() / "sys/devices/system/node";
  write_text(nodes / "node0/cpulist", "0-3\n");
  write_text(nodes / "node0/meminfo", "Node 0 MemTotal:  2097152 kB\nNode 0 MemFree: 5 kB\n");
  write_text(nodes / "node10/cpulist", "\n");
  write_text(nodes / "node10/meminfo", "\nNode 10 MemTotal:  1048576 kB\n");
  write_text(nodes / "node2/cpulist", "\n");
  write_text(nodes / "node10/memory_side_cache/index1/size", "134217728\n");
  write_text(nodes / "node10/memory_side_cache/index1/line_size", "64\n");
  write_text(nodes / "online", "0,2,10\n");
  write_text(root.path() / "sys/kernel/mm/transparent_hugepage/enabled",
             "always [madvise] never\n");
  write_text(root.path() / "proc/meminfo", "MemTotal:  3145728 kB\n");

  const Machine machine = read_machine({root.path() / "sys", root.path() / "proc"});
  REQUIRE(machine.nodes.size() == 3);
  CHECK(machine.nodes[0].number == 0);
  CHECK(machine.nodes[0].has_cpus);
  CHECK(machine.nodes[0].memory_bytes == std::uint64_t{2} << 30);
  CHECK(machine.nodes[0].memory_side_caches.empty());
  CHECK(machine.nodes[1].number == 2);
  CHECK(machine.nodes[1].memory_bytes == 0);
  CHECK(machine.nodes[2].number == 10);
  CHECK_FALSE(machine.nodes[2].has_cpus);
  CHECK(machine.nodes[2].memory_bytes == std::uint64_t{1} << 30);
  REQUIRE(machine.nodes[2].memory_side_caches.size() == 1);
  CHECK(machine.nodes[2].memory_side_caches[0].bytes == 134217728);
  CHECK(machine.nodes[2].memory_side_caches[0].line_bytes == 64);
  CHECK(machine.memory_bytes == std::uint64_t{3} << 30);
  CHECK(machine.transparent_huge_pages == "madvise");
}

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

TEST_CASE("two sockets have their CPUs, distances and tiers") {
  FakeMachine fake;
  make_two_sockets(fake);
  const Machine machine = read_machine(fake.paths());
  REQUIRE(machine.nodes.size() == 2);
  CHECK(machine.nodes[1].cpu_list == "4-7,12-15");
  CHECK(machine.nodes[1].distances == std::vector<int>{21, 10});
  CHECK(machine.nodes[1].memory_tier == 4);
  CHECK(machine.nodes[1].free_bytes == std::uint64_t{32} << 30);
  CHECK(machine.nodes[1].available_bytes == (std::uint64_t{32} << 30) + (3 << 20));
}

TEST_CASE("Memory Mode shows a direct-mapped near cache on each node") {
  FakeMachine fake;
  make_memory_mode(fake);
  const Machine machine = read_machine(fake.paths());
  REQUIRE(machine.nodes.size() == 2);
  for (const NumaNode& node : machine.nodes) {
    REQUIRE(node.memory_side_caches.size() == 1);
    CHECK(node.memory_side_caches[0].bytes == std::uint64_t{192} << 30);
    CHECK(node.memory_side_caches[0].indexing == "direct");
    CHECK(node.memory_side_caches[0].write_policy == "write-back");
  }
}

TEST_CASE("App Direct shows regions, namespaces with their modes, and what is mounted") {
  FakeMachine fake;
  make_app_direct(fake);
  const Machine machine = read_machine(fake.paths());
  REQUIRE(machine.pmem.regions.size() == 2);
  const PmemRegion& region = machine.pmem.regions[0];
  CHECK(region.persistence_domain == "memory_controller");
  CHECK(region.target_node == 2);
  REQUIRE(region.namespaces.size() == 3);
  CHECK(region.namespaces[0].block_device == "pmem0");
  CHECK(region.namespaces[1].mode == NamespaceMode::kRaw);
  CHECK(region.namespaces[2].mode == NamespaceMode::kDevdax);
  CHECK(machine.pmem.regions[1].namespaces.empty());
  CHECK(machine.pmem.regions[1].persistence_domain == "cpu_cache");
  REQUIRE(machine.pmem.dax_devices.size() == 1);
  CHECK(machine.pmem.dax_devices[0].origin == MemoryOrigin::kPmem);
  REQUIRE(machine.mounts.size() == 2);
  CHECK(machine.mounts[1].dax);
  CHECK(machine.mounts[1].pmem);
  CHECK(machine.mounts[1].block_device == "pmem0");
}

TEST_CASE("a CXL region that became a node is known by its device") {
  FakeMachine fake;
  make_cxl(fake);
  const Machine machine = read_machine(fake.paths());
  REQUIRE(machine.nodes.size() == 2);
  CHECK(machine.nodes[0].origin == MemoryOrigin::kUnknown);
  CHECK(machine.nodes[1].number == 2);
  CHECK(machine.nodes[1].origin == MemoryOrigin::kCxl);
  CHECK(machine.nodes[1].memory_tier == 22);
  CHECK(told_read_bandwidth(machine.nodes[1]) == 28800u);
  CHECK_FALSE(is_high_bandwidth(machine.nodes[1], machine.nodes));
  CHECK(machine.weighted_interleave.weights == std::map<int, int>{{0, 3}, {2, 1}});
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
