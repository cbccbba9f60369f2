#include "pmem/machine/numa_nodes.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench {
namespace {

using testing::FakeMachine;

TEST_CASE("without sysfs there are no nodes, and nothing is known to be available") {
  const FakeMachine fake;
  CHECK(read_numa_nodes(fake.paths().sysfs).empty());
  CHECK_FALSE(available_on_node(fake.paths().sysfs, 0).has_value());
}

TEST_CASE("what is available on a node is free, or the page cache's") {
  FakeMachine fake;
  fake.node(3, "", 1024);
  const auto available = available_on_node(fake.paths().sysfs, 3);
  REQUIRE(available.has_value());
  CHECK(*available == (std::uint64_t{512} << 20) + (3 << 20));
  CHECK_FALSE(available_on_node(fake.paths().sysfs, 1).has_value());
}

TEST_CASE("memory is of high bandwidth when it is told to be faster than the CPUs' own") {
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

TEST_CASE("every origin has a word") {
  CHECK(word(MemoryOrigin::kUnknown) == std::string("unknown"));
  CHECK(word(MemoryOrigin::kCxl) == std::string("cxl"));
  CHECK(word(MemoryOrigin::kPmem) == std::string("persistent memory"));
  CHECK(word(MemoryOrigin::kReserved) == std::string("set apart by the firmware"));
}

}  // namespace
}  // namespace hdbench
