#include "pmem/memory/numa_binding.h"

#include <cstring>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_machines.h"

namespace hdbench {
namespace {

TEST_CASE("a machine has at least one node, and the calling thread runs on one") {
  CHECK(node_count() >= 1);
  CHECK(local_node() >= 0);
}

TEST_CASE("nodes are counted by their numbers; an empty or senseless directory is one node") {
  testing::FakeMachine machine;
  CHECK(node_count(machine.paths()) == 1);
  std::filesystem::create_directories(machine.paths().sysfs / "devices/system/node");
  CHECK(node_count(machine.paths()) == 1);
  machine.sys("devices/system/node/node/cpulist", "");
  machine.sys("devices/system/node/node4096/cpulist", "zzz");
  machine.sys("devices/system/node/node-1/cpulist", "0");
  CHECK(node_count(machine.paths()) == 1);
  machine.node(0, "0-1", 64);
  machine.node(2, "", 64);
  CHECK(node_count(machine.paths()) == 3);
}

TEST_CASE("memory can be used after a node was preferred, even one that is not there") {
  const auto region = map_huge_memory(1 << 20);
  REQUIRE(region.ok());
  for (const int node : {-1, 0, local_node(), 4095}) prefer_node(region->bytes, node);
  std::memset(region->bytes.data(), 5, region->bytes.size());
  CHECK(region->bytes.back() == std::byte{5});
}

}  // namespace
}  // namespace hdbench
