// What this machine has for bytes to live in: mounts, NUMA nodes, memory-side caches, persistent
// memory.
//
// Read from sysfs and proc without privileges; nothing here fails, in a container the lists are
// shorter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pmem/machine_paths.h"
#include "pmem/mount.h"
#include "pmem/nvdimm.h"

namespace hdbench {

// Memory Mode and its like: a cache of memory in front of a node's memory.
struct MemorySideCache {
  std::uint64_t bytes = 0;
  std::uint64_t line_bytes = 0;
};

struct NumaNode {
  int number = 0;
  bool has_cpus = false;
  std::uint64_t memory_bytes = 0;
  std::vector<MemorySideCache> memory_side_caches;
};

struct Machine {
  std::vector<Mount> mounts;
  std::vector<NumaNode> nodes;  // by number; empty where sysfs shows none
  std::optional<std::uint64_t> memory_bytes;
  std::string transparent_huge_pages;  // "always", "madvise", "never"; empty: unknown
  PmemHardware pmem;
};

Machine read_machine(const MachinePaths& paths = {});

}  // namespace hdbench
