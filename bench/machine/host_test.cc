#include "bench/machine/host.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

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

TEST_CASE("model, clock and caches are read as the kernel writes them") {
  const auto root =
      std::filesystem::temp_directory_path() / ("hdbench_machine_" + std::to_string(getpid()));
  const auto cache = root / "devices/system/cpu/cpu0/cache/index0";
  std::filesystem::create_directories(cache);
  std::ofstream(root / "cpuinfo")
      << "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2 GHz\n"
         "cpu MHz\t\t: 2394.374\n";
  std::ofstream(cache / "level") << "3\n";
  std::ofstream(cache / "type") << "Unified\n";
  std::ofstream(cache / "size") << "36608K\n";
  std::ofstream(cache / "shared_cpu_list") << "0-3,8\n";
  std::ofstream(cache / "coherency_line_size") << "64\n";
  std::ofstream(root / "devices/system/cpu/online") << "0-3\n";
  for (const int cpu : {0, 1, 2, 3}) {
    const auto topology = root / ("devices/system/cpu/cpu" + std::to_string(cpu)) / "topology";
    std::filesystem::create_directories(topology);
    std::ofstream(topology / "physical_package_id") << cpu / 2 << "\n";
    std::ofstream(topology / "core_id") << 0 << "\n";
  }
  const Host host = read_host(2, root, root);
  std::filesystem::remove_all(root);
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
}

TEST_CASE("the control group's limits stand beside what the machine has") {
  const auto root =
      std::filesystem::temp_directory_path() / ("hdbench_limits_" + std::to_string(getpid()));
  std::filesystem::create_directories(root / "fs/cgroup");
  std::filesystem::create_directories(root / "self");
  std::ofstream(root / "self/cgroup") << "0::/\n";
  std::ofstream(root / "fs/cgroup/cpu.max") << "150000 100000\n";
  std::ofstream(root / "fs/cgroup/memory.max") << "1073741824\n";
  const Host host = read_host(1, root, root);
  std::ofstream(root / "fs/cgroup/memory.max") << "1152921504606846976\n";  // more than it has
  const Host unlimited = read_host(1, root, root);
  std::filesystem::remove_all(root);
  CHECK(host.quota_cpus == 1.5);
  CHECK(describe(host).ends_with(" GiB (control group: the time of 1.5 CPUs, 1.0 GiB)"));
  CHECK(describe(unlimited).ends_with(" GiB (control group: the time of 1.5 CPUs)"));
}

}  // namespace
}  // namespace hdbench::bench
