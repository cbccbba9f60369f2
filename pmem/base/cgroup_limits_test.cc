#include "pmem/base/cgroup_limits.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

TEST_CASE("a machine that shows no control groups limits nothing") {
  const FakeMachine machine;
  const CgroupLimits limits = read_cgroup_limits(machine.paths());
  CHECK_FALSE(limits.memory_bytes);
  CHECK_FALSE(limits.available_bytes);
  CHECK_FALSE(limits.cpus);
  CHECK(limits.cpuset.empty());
  CHECK(limits.threads(8) == 8);
  CHECK(limits.threads(0) == 1);
}

TEST_CASE("groups without a limit limit nothing") {
  FakeMachine machine;
  machine.proc("self/cgroup", "4:memory:/a\n3:cpu,cpuacct:/a\n0::/b\nnot a group\n");
  machine.sys("fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712");
  machine.sys("fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1");
  machine.sys("fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000");
  machine.sys("fs/cgroup/b/memory.max", "max");
  machine.sys("fs/cgroup/b/cpu.max", "max 100000");
  const CgroupLimits limits = read_cgroup_limits(machine.paths());
  CHECK_FALSE(limits.memory_bytes);
  CHECK_FALSE(limits.cpus);
}

TEST_CASE("version 2: the least limit of the group and those above it") {
  FakeMachine machine;
  machine.proc("self/cgroup", "0::/outer/inner\n");
  machine.sys("fs/cgroup/outer/memory.max", "1000000");
  machine.sys("fs/cgroup/outer/memory.current", "950000");
  machine.sys("fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 50000\nactive_file 7");
  machine.sys("fs/cgroup/outer/cpu.max", "150000 100000");
  machine.sys("fs/cgroup/outer/inner/memory.max", "800000");
  machine.sys("fs/cgroup/outer/inner/memory.current", "100000");
  machine.sys("fs/cgroup/outer/inner/cpu.max", "300000 100000");
  machine.sys("fs/cgroup/outer/inner/cpuset.cpus.effective", "0-3");
  machine.sys("fs/cgroup/outer/inner/cpuset.mems.effective", "0,2");
  const CgroupLimits limits = read_cgroup_limits(machine.paths());
  CHECK(limits.memory_bytes == 800000);
  CHECK(limits.available_bytes == 100007);
  CHECK(limits.cpus == 1.5);
  CHECK(limits.cpuset == "0-3");
  CHECK(limits.cpuset_mems == "0,2");
  CHECK(limits.threads(4) == 1);
}

TEST_CASE("version 1: each controller in its own tree, also where the group is the root") {
  FakeMachine machine;
  machine.proc("self/cgroup", "5:cpuset:/\n4:memory:/box/7\n3:cpu,cpuacct:/box/7\n");
  machine.sys("fs/cgroup/memory/memory.limit_in_bytes", "4096000");
  machine.sys("fs/cgroup/memory/memory.usage_in_bytes", "5000000");
  machine.sys("fs/cgroup/cpu,cpuacct/box/7/cpu.cfs_quota_us", "250000");
  machine.sys("fs/cgroup/cpu,cpuacct/box/7/cpu.cfs_period_us", "100000");
  machine.sys("fs/cgroup/cpuset/cpuset.cpus", "1,3");
  const CgroupLimits limits = read_cgroup_limits(machine.paths());
  CHECK(limits.memory_bytes == 4096000);
  CHECK(limits.available_bytes == 0);
  CHECK(limits.cpus == 2.5);
  CHECK(limits.cpuset == "1,3");
  CHECK(limits.threads(8) == 2);
  CHECK(limits.threads(1) == 1);
}

TEST_CASE("only groups with a quota are asked how often they were stopped, in either version") {
  FakeMachine machine;
  CHECK(QuotaGroups(machine.paths()).empty());
  machine.proc("self/cgroup", "3:cpu,cpuacct:/box/7\n0::/outer/inner\n");
  machine.sys("fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods 1000\nnr_throttled 1000");
  machine.sys("fs/cgroup/cpu,cpuacct/box/7/cpu.cfs_quota_us", "50000");
  machine.sys("fs/cgroup/cpu,cpuacct/box/7/cpu.cfs_period_us", "100000");
  machine.sys("fs/cgroup/outer/inner/cpu.max", "max 100000");
  machine.sys("fs/cgroup/outer/cpu.max", "50000 100000");
  const QuotaGroups groups(machine.paths());
  REQUIRE_FALSE(groups.empty());
  CHECK(groups.read().periods == 0);
  machine.sys("fs/cgroup/cpu,cpuacct/box/7/cpu.stat",
              "nr_periods 70\nnr_throttled 40\nthrottled_time 2000000");
  const CpuThrottling before = groups.read();
  CHECK(before.periods == 70);
  CHECK(before.throttled_periods == 40);
  machine.sys("fs/cgroup/outer/cpu.stat",
              "usage_usec 9\nnr_periods 5\nnr_throttled 3\nthrottled_usec 2");
  CpuThrottling seen = groups.read().since(before);
  CHECK(seen.periods == 5);
  CHECK(seen.throttled_periods == 3);
  seen.add(seen);
  CHECK(seen.throttled_periods == 6);
  CHECK(before.since(groups.read()).periods == 0);
}

}  // namespace
}  // namespace hdbench::pmem
