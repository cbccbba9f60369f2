#include "pmem/machine/weighted_interleave.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

TEST_CASE("a kernel before 6.9 shows no weights") {
  const FakeMachine fake;
  const WeightedInterleave found = read_weighted_interleave(fake.paths().sysfs);
  CHECK_FALSE(found.known);
  CHECK(found.weights.empty());
  CHECK_FALSE(found.automatic.has_value());
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
