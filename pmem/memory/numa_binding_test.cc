#include "pmem/memory/numa_binding.h"

#include <cstring>
#include <string>
#include <utility>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("the nodes of CPUs are those that have memory; none where sysfs shows none") {
  testing::FakeMachine machine;
  CHECK(nodes_of_cpus({0, 1}, machine.paths()).empty());
  for (const auto& [cpu, node] : {std::pair(0, 0), {1, 0}, {2, 8}, {3, 9}}) {
    machine.sys("devices/system/cpu/cpu" + std::to_string(cpu) + "/node" + std::to_string(node) +
                    "/cpulist",
                "");
  }
  machine.sys("devices/system/node/has_memory", "0,2,8\n");
  CHECK(nodes_of_cpus({0, 1}, machine.paths()) == std::vector<int>{0});
  CHECK(nodes_of_cpus({3, 2, 0}, machine.paths()) == std::vector<int>{0, 8});
  CHECK(nodes_of_cpus({3}, machine.paths()).empty());
}

TEST_CASE("memory can be used after it was spread, even over nodes that are not there") {
  for (const std::vector<int>& nodes :
       {std::vector<int>{}, {-1}, {0}, {0, 1}, {0, 1023}, {4095}, own_nodes()}) {
    const auto region = map_huge_memory(1 << 20);
    REQUIRE(region.ok());
    spread_over(region->bytes, nodes);
    std::memset(region->bytes.data(), 5, region->bytes.size());
    CHECK(region->bytes.back() == std::byte{5});
  }
}

}  // namespace
}  // namespace hdbench::pmem
