#include "pmem/topology.h"

#include "pmem/free_room.h"
#include "pmem/sysfs_text.h"

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

}  // namespace

Machine read_machine(const MachinePaths& paths) {
  Machine machine;
  machine.mounts = read_mounts(paths);
  machine.nodes = read_numa_nodes(paths.sysfs);
  machine.memory_bytes = memory_figure("MemTotal", paths.procfs);
  machine.transparent_huge_pages =
      chosen_word(first_line(paths.sysfs / "kernel/mm/transparent_hugepage/enabled"));
  machine.pmem = read_pmem_hardware(paths);
  machine.cxl = read_cxl_hardware(paths.sysfs);
  machine.weighted_interleave = read_weighted_interleave(paths.sysfs);
  name_origins(machine);
  return machine;
}

}  // namespace hdbench
