#include "pmem/machine/topology.h"

#include <algorithm>

#include "pmem/base/free_room.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/node_pages.h"

namespace hdbench {
namespace {

// Memory that became a node through device DAX is known by the device.
void name_origins(Machine& machine) {
  for (const DaxDevice& device : machine.pmem.dax_devices) {
    if (!device.system_ram) continue;
    for (NumaNode& node : machine.nodes) {
      if (node.number == device.target_node && !node.has_cpus) node.origin = device.origin;
    }
  }
}

// A container may show nodes and forbid their use: a page that is never touched tells.
std::string try_binding(const std::vector<NumaNode>& nodes) {
  const auto node = std::find_if(nodes.begin(), nodes.end(),
                                 [](const NumaNode& one) { return one.memory_bytes > 0; });
  if (node == nodes.end()) return {};
  const auto page = map_huge_memory_at(kRegionAlignment, "numa", [&](std::span<std::byte> memory) {
    return set_node_policy(memory, {NodeSpread::kBind, {node->number}});
  });
  return page.ok() ? std::string() : page.error().message;
}

}  // namespace

Machine read_machine(const MachinePaths& paths) {
  Machine machine;
  machine.mounts = read_mounts(paths);
  machine.nodes = read_numa_nodes(paths.sysfs);
  machine.memory_bytes = memory_figure("MemTotal", paths.procfs);
  machine.limits = read_cgroup_limits(paths);
  machine.transparent_huge_pages =
      chosen_word(first_line(paths.sysfs / "kernel/mm/transparent_hugepage/enabled"));
  machine.pmem = read_pmem_hardware(paths);
  machine.cxl = read_cxl_hardware(paths.sysfs);
  machine.weighted_interleave = read_weighted_interleave(paths.sysfs);
  name_origins(machine);
  if (paths.sysfs == MachinePaths{}.sysfs) machine.binding_refused = try_binding(machine.nodes);
  return machine;
}

}  // namespace hdbench
