#include "pmem/media/node_choice.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

Result<NodeChoice> choose(const std::string& text, const Machine& machine) {
  const auto word = parse_medium_spec(text);
  REQUIRE(word.ok());
  return choose_nodes(*word, machine);
}

std::string refused(const std::string& text, const Machine& machine) {
  const auto choice = choose(text, machine);
  REQUIRE_FALSE(choice.ok());
  CHECK(choice.error().kind == ErrorKind::kData);
  return choice.error().message;
}

Machine cxl_machine() {
  FakeMachine fake;
  make_cxl(fake);
  return read_machine(fake.paths());
}

TEST_CASE("a node that is not there is refused with those that are") {
  CHECK(refused("numa:0", {}) == "numa:0: no NUMA nodes shown in /sys/devices/system/node");
  Machine machine = cxl_machine();
  CHECK(refused("numa:1", machine) ==
        "numa:1: no such node; this machine has memory on nodes 0, 2");
  machine.nodes.pop_back();
  CHECK(refused("numa:2", machine) == "numa:2: no such node; this machine has memory on node 0");
  machine.nodes.push_back({});
  machine.nodes.back().number = 3;
  machine.nodes.back().unusable = kWithoutMemory;
  CHECK(refused("numa:3", machine) ==
        "numa:3: a node without memory; this machine has memory on node 0");
  machine.nodes.front().unusable = "offline";
  CHECK(refused("numa:0", machine) == "numa:0: offline; this machine has memory on no node");
}

TEST_CASE("any node with memory can be requested, with CPUs or without") {
  const Machine machine = cxl_machine();
  const auto own = choose("numa:0", machine);
  REQUIRE(own.ok());
  CHECK(own->name == "numa:0");
  CHECK(own->label == "real (node 0: 64.0 GiB, CPUs 0-7: a socket's, not CXL)");
  CHECK(own->policy.spread == NodeSpread::kBind);
  CHECK(own->policy.nodes == std::vector<int>{0});
  CHECK(own->weights.empty());
  CHECK(choose("numa:002", machine)->name == "numa:2");
  CHECK(choose("numa:2", machine)->label == "real (node 2: 32.0 GiB, no CPUs, cxl)");
}

TEST_CASE("the memory of a machine's only node is named by its CPUs alone") {
  Machine machine = cxl_machine();
  machine.nodes.pop_back();
  CHECK(choose("numa:0", machine)->label == "real (node 0: 64.0 GiB, CPUs 0-7)");
}

TEST_CASE("cxl is the node without CPUs, and several of them interleaved") {
  Machine machine = cxl_machine();
  const auto one = choose("cxl", machine);
  REQUIRE(one.ok());
  CHECK(one->name == "cxl");
  CHECK(one->label == "real (node 2: 32.0 GiB, no CPUs, cxl)");
  CHECK(one->policy.spread == NodeSpread::kBind);
  NumaNode second = machine.nodes[1];
  second.number = 3;
  machine.nodes.push_back(second);
  const auto both = choose("cxl", machine);
  REQUIRE(both.ok());
  CHECK(both->policy.spread == NodeSpread::kInterleave);
  CHECK(both->policy.nodes == std::vector<int>{2, 3});
  CHECK(both->weights == std::vector<int>{1, 1});
  CHECK(both->label == "real (nodes 2, 3 interleaved: 64.0 GiB, no CPUs)");
}

TEST_CASE("persistent memory and high-bandwidth memory are not called CXL") {
  Machine machine = cxl_machine();
  machine.nodes[1].origin = MemoryOrigin::kPmem;
  FarNodes far = far_nodes(machine);
  CHECK(far.used.empty());
  CHECK(far.others ==
        std::vector<std::string>{"node2 is persistent memory as system-ram: --medium numa:2"});
  CHECK(refused("cxl", machine) == "cxl is absent here");
  machine.nodes[1].origin = MemoryOrigin::kGpu;
  CHECK(far_nodes(machine).others ==
        std::vector<std::string>{"node2 is a GPU's memory: --medium numa:2"});
  machine.nodes[1].origin = MemoryOrigin::kReserved;
  machine.nodes[1].access[0].read_bandwidth_mb_s = 800000;
  far = far_nodes(machine);
  CHECK(far.used.empty());
  REQUIRE(far.others.size() == 1);
  CHECK(
      testing::contains(far.others[0], "node2 is reported to be faster than the CPUs' own memory"));
}

TEST_CASE("memory without CPUs is CXL by what is behind it, or by a tier slower than DRAM's") {
  Machine machine = cxl_machine();
  NumaNode& far = machine.nodes[1];
  far.origin = MemoryOrigin::kUnknown;
  CHECK(other_than_cxl(far, machine).empty());
  far.memory_tier = 4;
  CHECK(other_than_cxl(far, machine) == "not CXL: its memory tier is 4, and DRAM's is 4");
  far.origin = MemoryOrigin::kReserved;
  CHECK_FALSE(other_than_cxl(far, machine).empty());
  far.memory_tier.reset();
  CHECK(other_than_cxl(far, machine).empty());
  far.origin = MemoryOrigin::kUnknown;
  CHECK(other_than_cxl(far, machine) ==
        "not known to be CXL (no CXL region, DAX device or slower memory tier behind it)");
  far.origin = MemoryOrigin::kCxl;
  CHECK(other_than_cxl(far, machine).empty());
  far.unusable = "offline";
  CHECK(far_nodes(machine).used.empty());
  CHECK(far_nodes(machine).others == std::vector<std::string>{"node2: offline"});
}

TEST_CASE("weighted interleave takes the kernel's weights, in any multiple") {
  Machine machine = cxl_machine();
  const auto choice = choose("cxl:interleave=3:1", machine);
  REQUIRE(choice.ok());
  CHECK(choice->name == "cxl:interleave=3:1");
  CHECK(choice->label == "real (pages 3:1 over nodes 0, 2)");
  CHECK(choice->policy.spread == NodeSpread::kWeighted);
  CHECK(choice->policy.nodes == std::vector<int>{0, 2});
  CHECK(choice->weights == std::vector<int>{3, 1});
  machine.weighted_interleave.weights = {{0, 6}, {2, 2}};
  CHECK(choose("cxl:interleave=3:1", machine).ok());
}

TEST_CASE("weights that are others, and a kernel without them, are refused with what would help") {
  Machine machine = cxl_machine();
  CHECK(refused("cxl:interleave=1:1", machine) ==
        "cxl:interleave=1:1: the kernel's weights are 3 on node 0, 1 on node 2: "
        "echo 1 | sudo tee /sys/kernel/mm/mempolicy/weighted_interleave/node0; "
        "echo 1 | sudo tee /sys/kernel/mm/mempolicy/weighted_interleave/node2");
  machine.weighted_interleave = {};
  CHECK(refused("cxl:interleave=3:1", machine) ==
        "cxl:interleave=3:1: this kernel has no weighted interleave "
        "(/sys/kernel/mm/mempolicy/weighted_interleave is absent; Linux 6.9 and later have it)");
}

TEST_CASE("the near side of an interleave is the nearest node with CPUs") {
  FakeMachine fake;
  make_two_sockets(fake);
  fake.node(2, "", 1024);
  fake.sys("devices/virtual/memory_tiering/memory_tier22/nodelist", "2");
  fake.sys("devices/system/node/node2/distance", "24 14 10");
  fake.sys("kernel/mm/mempolicy/weighted_interleave/node1", "2");
  const auto choice = choose("cxl:interleave=2:1", read_machine(fake.paths()));
  REQUIRE(choice.ok());
  CHECK(choice->policy.nodes == std::vector<int>{1, 2});
  // Distances are those to the nodes that are online.
  fake.sys("devices/system/node/online", "1-2");
  fake.sys("devices/system/node/node2/distance", "14 10");
  const auto with_offline = choose("cxl:interleave=2:1", read_machine(fake.paths()));
  REQUIRE(with_offline.ok());
  CHECK(with_offline->policy.nodes == std::vector<int>{1, 2});
}

TEST_CASE("a near cache in front of all memory, of some, or of none") {
  FakeMachine fake;
  make_two_sockets(fake);
  CHECK(cached_nodes(read_machine(fake.paths())).nodes.empty());
  CHECK_FALSE(cached_nodes(read_machine(fake.paths())).all);
  CHECK_FALSE(cached_nodes({}).all);
  fake.sys("devices/system/node/node1/memory_side_cache/index1/size", "134217728");
  fake.sys("devices/system/node/node1/memory_side_cache/index1/line_size", "64");
  const Machine some = read_machine(fake.paths());
  const CachedNodes cached = cached_nodes(some);
  REQUIRE(cached.nodes.size() == 1);
  CHECK_FALSE(cached.all);
  const NodeChoice choice = choose_cached_nodes(cached);
  CHECK(choice.name == "memory-mode");
  CHECK(choice.policy.nodes == std::vector<int>{1});
  CHECK(choice.label == "real (node1 has a memory-side cache of 128 MiB with 64-byte lines)");
  FakeMachine whole;
  make_memory_mode(whole);
  const Machine all = read_machine(whole.paths());
  CHECK(cached_nodes(all).all);
  CHECK(testing::contains(describe_caches(cached_nodes(all)),
                          "node1 has a memory-side cache of 196608 MiB with 64-byte lines, direct, "
                          "write-back"));
}

}  // namespace
}  // namespace hdbench::pmem
