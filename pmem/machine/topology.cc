#include "pmem/machine/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "pmem/base/free_room.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/node_pages.h"

namespace hdbench::pmem {
namespace {

NumaNode* node_of(std::vector<NumaNode>& nodes, int number) {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const NumaNode& node) { return node.number == number; });
  return found == nodes.end() ? nullptr : &*found;
}

// A region that the firmware made ordinary memory has no DAX device: its addresses are the node's.
bool has_memory_of(const std::filesystem::path& node, const CxlRegion& region,
                   std::uint64_t block_bytes) {
  if (!region.committed || region.start == 0 || region.bytes == 0) return false;
  for (const auto& [block, directory] : numbered(node, "memory")) {
    const std::uint64_t start = static_cast<std::uint64_t>(block) * block_bytes;
    if (start < region.start + region.bytes && region.start < start + block_bytes) return true;
  }
  return false;
}

void name_nodes_of_regions(const std::filesystem::path& sysfs, Machine& machine) {
  const std::uint64_t block_bytes = memory_block_bytes(sysfs);
  if (block_bytes == 0) return;
  for (NumaNode& node : machine.nodes) {
    const auto directory = sysfs / "devices/system/node" / fmt::format("node{}", node.number);
    for (const CxlRegion& region : machine.cxl.regions) {
      if (!node.has_cpus && has_memory_of(directory, region, block_bytes)) {
        node.origin = MemoryOrigin::kCxl;
      }
    }
  }
}

// "Node:	255", written by NVIDIA's driver where a GPU's memory is a node.
void name_nodes_of_gpus(const std::filesystem::path& procfs, Machine& machine) {
  const auto gpus = procfs / "driver/nvidia/gpus";
  for (const std::string& name : names_below(gpus)) {
    std::ifstream status(gpus / name / "numa_status");
    std::string key;
    int number = -1;
    while (status >> key && key != "Node:") {
    }
    NumaNode* const node = status >> number ? node_of(machine.nodes, number) : nullptr;
    if (node != nullptr && !node->has_cpus) node->origin = MemoryOrigin::kGpu;
  }
}

// Memory that became a node through device DAX is known by the device.
void name_origins(Machine& machine) {
  for (const DaxDevice& device : machine.pmem.dax_devices) {
    NumaNode* const node = device.system_ram ? node_of(machine.nodes, device.target_node) : nullptr;
    if (node == nullptr || node->has_cpus || device.origin == MemoryOrigin::kUnknown) continue;
    node->origin = device.origin;
  }
}

// A container may show nodes and forbid their use: a page that is never touched tells.
void try_binding(NumaNode& node) {
  if (!node.unusable.empty()) return;
  const auto page = map_huge_memory_at(kRegionAlignment, "numa", [&](std::span<std::byte> memory) {
    return set_node_policy(memory, {NodeSpread::kBind, {node.number}});
  });
  if (!page.ok()) node.unusable = page.error().message;
}

}  // namespace

Machine read_machine(const MachinePaths& paths) {
  Machine machine;
  machine.mounts = read_mounts(paths);
  machine.nodes = read_numa_nodes(paths);
  machine.memory_bytes = memory_figure("MemTotal", paths.procfs);
  machine.limits = read_cgroup_limits(paths);
  machine.transparent_huge_pages =
      chosen_word(first_line(paths.sysfs / "kernel/mm/transparent_hugepage/enabled"));
  machine.pmem = read_pmem_hardware(paths.sysfs);
  machine.cxl = read_cxl_hardware(paths.sysfs);
  machine.weighted_interleave = read_weighted_interleave(paths.sysfs);
  machine.auto_online_blocks = first_line(paths.sysfs / "devices/system/memory/auto_online_blocks");
  name_nodes_of_regions(paths.sysfs, machine);
  name_nodes_of_gpus(paths.procfs, machine);
  name_origins(machine);
  if (paths.sysfs == MachinePaths{}.sysfs) {
    std::for_each(machine.nodes.begin(), machine.nodes.end(), try_binding);
  }
  return machine;
}

}  // namespace hdbench::pmem
