// The memory of this machine: mounts, NUMA nodes, memory-side caches, persistent memory, CXL
// devices.
//
// Read from sysfs and proc without privileges. Nothing here fails; in a container the lists are
// shorter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pmem/base/cgroup_limits.h"
#include "pmem/base/machine_paths.h"
#include "pmem/machine/cxl_devices.h"
#include "pmem/machine/mount.h"
#include "pmem/machine/numa_nodes.h"
#include "pmem/machine/nvdimm.h"

namespace hdbench::pmem {

struct Machine {
  std::vector<Mount> mounts;
  std::vector<NumaNode> nodes;  // by number; empty where sysfs shows none
  std::optional<std::uint64_t> memory_bytes;
  CgroupLimits limits;                 // of this process's control group
  std::string transparent_huge_pages;  // "always", "madvise", "never"; empty: unknown
  PmemHardware pmem;
  CxlHardware cxl;
  WeightedInterleave weighted_interleave;
  // What becomes of new memory blocks: "offline", "online", "online_movable", "online_kernel";
  // empty: the kernel has no memory hotplug.
  std::string auto_online_blocks;
};

Machine read_machine(const MachinePaths& paths = {});

}  // namespace hdbench::pmem
