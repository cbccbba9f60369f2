#include "pmem/machine/hwloc_memory.h"

#include <algorithm>
#include <cstdlib>

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("hwloc is named with its version, or as absent, and its nodes rise") {
  const HwlocMemory found = read_hwloc_memory();
  CHECK(found.source.starts_with("hwloc "));
  if (found.source == "hwloc not built in") CHECK(found.nodes.empty());
  CHECK(std::is_sorted(found.nodes.begin(), found.nodes.end(),
                       [](const HwlocNode& a, const HwlocNode& b) { return a.number < b.number; }));
  for (const HwlocNode& node : found.nodes) {
    for (const MemoryAttribute& attribute : node.attributes) {
      CHECK_FALSE(attribute.name.empty());
      CHECK(attribute.name != "Capacity");
    }
  }
}

TEST_CASE("an odd /sys and HWLOC_ variables do not end the program") {
  testing::FakeMachine machine;
  const auto root = machine.paths().sysfs.parent_path();
  const auto looked = [&] { return read_hwloc_memory(root); };
  CHECK(looked().source.starts_with("hwloc "));
  std::filesystem::create_directories(machine.paths().sysfs / "devices/system/node");
  machine.sys("devices/system/cpu/online", "0-1");
  CHECK(looked().source.starts_with("hwloc "));
  machine.sys("devices/system/node/online", "7-3,x");
  machine.sys("devices/system/node/node4096/cpumap", "zz");
  machine.sys("devices/system/node/node0/meminfo", "no figures");
  CHECK(looked().source.starts_with("hwloc "));
  for (const char* name : {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_COMPONENTS"})
    ::setenv(name, "no such thing", 1);
  const HwlocMemory found = read_hwloc_memory();
  CHECK(found.source.find("fail") == std::string::npos);
  for (const char* name : {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_COMPONENTS"})
    ::unsetenv(name);
}

}  // namespace
}  // namespace hdbench::pmem
