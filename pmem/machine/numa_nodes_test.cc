#include "pmem/machine/numa_nodes.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

TEST_CASE("size, line, indexing and write policy of a cache are read") {
  const TemporaryDirectory node;
  const auto cache = node.path() / "memory_side_cache/index1";
  write_text(cache / "size", "206158430208\n");
  write_text(cache / "line_size", "64\n");
  write_text(cache / "indexing", "0\n");
  write_text(cache / "write_policy", "0\n");
  write_text(node.path() / "memory_side_cache/index2/indexing", "1\n");
  write_text(node.path() / "memory_side_cache/index2/write_policy", "2\n");
  const auto caches = read_memory_side_caches(node.path());
  REQUIRE(caches.size() == 2);
  CHECK(caches[0].level == 1);
  CHECK(caches[0].bytes == std::uint64_t{192} << 30);
  CHECK(caches[0].line_bytes == 64);
  CHECK(caches[0].indexing == "direct");
  CHECK(caches[0].write_policy == "write-back");
  CHECK(caches[1].indexing == "indexed");
  CHECK(caches[1].write_policy == "other");
}

TEST_CASE("access classes have their initiators; a figure of zero is not told") {
  const TemporaryDirectory node;
  const auto nearest = node.path() / "access0/initiators";
  write_text(nearest / "read_bandwidth", "31000\n");
  write_text(nearest / "write_bandwidth", "0\n");
  write_text(nearest / "read_latency", "250\n");
  write_text(nearest / "node0/cpulist", "0-3\n");
  write_text(node.path() / "access1/initiators/read_latency", "260\n");
  write_text(node.path() / "access1/initiators/node1/cpulist", "4-7\n");
  const auto access = read_memory_access(node.path());
  REQUIRE(access.size() == 2);
  CHECK(access[0].access_class == 0);
  CHECK(access[0].initiators == std::vector<int>{0});
  CHECK(access[0].read_bandwidth_mb_s == 31000u);
  CHECK_FALSE(access[0].write_bandwidth_mb_s.has_value());
  CHECK(access[0].read_latency_ns == 250u);
  CHECK_FALSE(access[0].write_latency_ns.has_value());
  CHECK(access[1].access_class == 1);
  CHECK(access[1].initiators == std::vector<int>{1});
  CHECK(access[1].read_latency_ns == 260u);
}

using testing::FakeMachine;

TEST_CASE("what is available on a node is free, or the page cache's") {
  FakeMachine fake;
  fake.node(3, "", 1024);
  const auto available = available_on_node(fake.paths().sysfs, 3);
  REQUIRE(available.has_value());
  CHECK(*available == (std::uint64_t{512} << 20) + (3 << 20));
  CHECK_FALSE(available_on_node(fake.paths().sysfs, 1).has_value());
}

TEST_CASE("memory is of high bandwidth when it is reported to be faster than the CPUs' own") {
  NumaNode own;
  own.has_cpus = true;
  NumaNode other;
  other.number = 1;
  CHECK_FALSE(told_read_bandwidth(other).has_value());
  CHECK_FALSE(is_high_bandwidth(other, {own, other}));
  MemoryAccess access;
  access.read_bandwidth_mb_s = 400000;
  other.access = {access};
  CHECK_FALSE(is_high_bandwidth(other, {own, other}));
  access.read_bandwidth_mb_s = 200000;
  own.access = {access};
  CHECK(is_high_bandwidth(other, {own, other}));
  CHECK_FALSE(is_high_bandwidth(own, {own, other}));
  other.access = {access};
  CHECK_FALSE(is_high_bandwidth(other, {own, other}));
}

TEST_CASE(
    "nodes have the numbers that are there; without memory or meminfo, or offline, they say") {
  FakeMachine fake;
  fake.node(0, "0-3", 1024);
  fake.node(8, "4-7", 1024);
  fake.node(252, "", 0);
  fake.node(255, "", 512);
  fake.sys("devices/system/node/node253/cpulist", "");
  fake.sys("devices/system/node/online", "0,8,252-253");
  const auto nodes = read_numa_nodes(fake.paths());
  REQUIRE(nodes.size() == 5);
  CHECK(nodes[1].number == 8);
  CHECK(nodes[1].unusable.empty());
  CHECK(nodes[2].unusable == kWithoutMemory);
  CHECK(nodes[3].unusable == "its meminfo cannot be read");
  CHECK(nodes[4].unusable == "offline");
  CHECK_FALSE(nodes[4].online);
}

TEST_CASE(
    "nodes that a control group does not allow are reported, by the process or by its group") {
  FakeMachine fake;
  fake.node(0, "0-3", 1024);
  fake.node(1, "4-7", 1024);
  fake.node(2, "", 0);
  fake.proc("self/cgroup", "0::/box\n");
  fake.sys("fs/cgroup/box/cpuset.mems.effective", "0");
  auto nodes = read_numa_nodes(fake.paths());
  CHECK(nodes[0].unusable.empty());
  CHECK(nodes[1].unusable == "not allowed to this process (cpuset.mems: 0)");
  CHECK(nodes[2].unusable == kWithoutMemory);
  fake.proc("self/status", "Mems_allowed:\t2\nMems_allowed_list:\t0-1\n");
  CHECK(read_numa_nodes(fake.paths())[1].unusable == nodes[1].unusable);
  fake.proc("self/status", "Mems_allowed_list:\t1\n");
  CHECK(read_numa_nodes(fake.paths())[0].unusable ==
        "not allowed to this process (Mems_allowed_list: 1)");
}

TEST_CASE("DRAM's tier is that of the nodes with CPUs, else the kernel's own") {
  NumaNode own, far;
  own.has_cpus = true;
  CHECK_FALSE(dram_tier({own, far}).has_value());
  CHECK_FALSE(is_ordinary(far, {own, far}));
  far.memory_tier = 4;
  CHECK(dram_tier({own, far}) == 4);
  CHECK(is_ordinary(far, {own, far}));
  own.memory_tier = 3;
  CHECK(dram_tier({own, far}) == 3);
  CHECK_FALSE(is_ordinary(far, {own, far}));
  CHECK(is_ordinary(own, {own, far}));
  far.memory_tier = 3;
  far.origin = MemoryOrigin::kGpu;
  CHECK_FALSE(is_ordinary(far, {own, far}));
}

TEST_CASE("weights are read by node, with who sets them") {
  FakeMachine fake;
  fake.sys("kernel/mm/mempolicy/weighted_interleave/node0", "5");
  fake.sys("kernel/mm/mempolicy/weighted_interleave/node10", "1");
  fake.sys("kernel/mm/mempolicy/weighted_interleave/node2", "x");
  WeightedInterleave found = read_weighted_interleave(fake.paths().sysfs);
  CHECK(found.known);
  CHECK(found.weights == std::map<int, int>{{0, 5}, {10, 1}});
  CHECK_FALSE(found.automatic.has_value());
  fake.sys("kernel/mm/mempolicy/weighted_interleave/auto", "true");
  found = read_weighted_interleave(fake.paths().sysfs);
  CHECK(found.automatic == true);
}

}  // namespace
}  // namespace hdbench::pmem
