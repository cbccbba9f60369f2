#include "pmem/memory/numa_binding.h"

#include <cstring>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_machines.h"

namespace hdbench {
namespace {

TEST_CASE("a machine has at least one node, and the calling thread runs on one") {
  CHECK_FALSE(node_numbers().empty());
  CHECK(local_node() >= 0);
  CHECK(local_node_place() < node_numbers().size());
}

TEST_CASE("nodes are those that are there; an empty or senseless directory is node 0") {
  const std::vector<int> one = {0};
  testing::FakeMachine machine;
  CHECK(node_numbers(machine.paths()) == one);
  std::filesystem::create_directories(machine.paths().sysfs / "devices/system/node");
  CHECK(node_numbers(machine.paths()) == one);
  machine.sys("devices/system/node/node/cpulist", "");
  machine.sys("devices/system/node/node4096/cpulist", "zzz");
  machine.sys("devices/system/node/node-1/cpulist", "0");
  CHECK(node_numbers(machine.paths()) == one);
  machine.node(0, "0-1", 64);
  machine.node(8, "", 64);
  machine.node(255, "", 64);
  CHECK(node_numbers(machine.paths()) == std::vector<int>{0, 8, 255});
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
