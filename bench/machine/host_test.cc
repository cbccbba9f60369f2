#include "bench/machine/host.h"

#include <utility>

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a machine that tells nothing is still described") {
  const Host host = read_host(1, "/nowhere", "/nowhere");
  CHECK(host.cpu_model == "unknown");
  CHECK_FALSE(host.mhz);
  CHECK(host.caches.empty());
  CHECK(host.memory_bytes > 0);
  CHECK(host.cpus_online.empty());
  CHECK(host.sockets == 0);
  CHECK(describe(host).find("unknown, 1 CPU, ") == 0);
}

TEST_CASE("model, clock, caches, cores and limits are read as the kernel writes them") {
  testing::FakeMachine machine;
  machine.proc("cpuinfo",
               "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2 GHz\n"
               "cpu MHz\t\t: 2394.374\n");
  const std::string cpus = "devices/system/cpu/";
  for (const auto& [file, text] : {std::pair("level", "3"),
                                   {"type", "Unified"},
                                   {"size", "36608K"},
                                   {"shared_cpu_list", "0-3,8"},
                                   {"coherency_line_size", "64"}}) {
    machine.sys(cpus + "cpu0/cache/index0/" + file, text);
  }
  machine.sys(cpus + "online", "0-3");
  for (const int cpu : {0, 1, 2, 3}) {
    const std::string topology = cpus + "cpu" + std::to_string(cpu) + "/topology/";
    machine.sys(topology + "physical_package_id", std::to_string(cpu / 2));
    machine.sys(topology + "core_id", "0");
  }
  machine.proc("self/cgroup", "0::/\n");
  machine.sys("fs/cgroup/cpu.max", "150000 100000");
  machine.sys("fs/cgroup/memory.max", "1073741824");
  const Host host = read_host(2, machine.paths().procfs, machine.paths().sysfs);
  CHECK(host.cpu_model == "Some CPU @ 2 GHz");
  CHECK(host.mhz.value() == Approx(2394.374));
  REQUIRE(host.caches.size() == 1);
  CHECK(host.caches[0].level == 3);
  CHECK(host.caches[0].type == "Unified");
  CHECK(host.caches[0].bytes == 36608u << 10);
  CHECK(host.caches[0].sharing == 5);
  CHECK(host.caches[0].line_bytes == 64);
  CHECK(host.cpus_online == "0-3");
  CHECK(host.sockets == 2);
  CHECK(host.cores == 2);
  CHECK(host.quota_cpus == 1.5);
  CHECK(describe(host).ends_with(" GiB (control group: the time of 1.5 CPUs, 1.0 GiB)"));
  machine.sys("fs/cgroup/memory.max", "1152921504606846976");  // more than it has
  CHECK(describe(read_host(1, machine.paths().procfs, machine.paths().sysfs))
            .ends_with(" GiB (control group: the time of 1.5 CPUs)"));
}

}  // namespace
}  // namespace hdbench::bench
