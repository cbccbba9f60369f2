#include "pmem/machine/hwloc_memory.h"

#include <algorithm>

#include "engine/base/catch.h"

namespace hdbench {
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

}  // namespace
}  // namespace hdbench
