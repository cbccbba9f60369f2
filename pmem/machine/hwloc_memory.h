// hwloc's information on the nodes' memory: kind, memory-side caches, and firmware figures, in
// addition to sysfs (numa_nodes.h).
//
// In a build without hwloc the list is empty and says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hdbench {

struct MemoryAttribute {
  std::string name;         // "Bandwidth" (MiB/s), "Latency" (ns), "ReadBandwidth", ...
  std::uint64_t value = 0;  // from the best initiator
  std::string initiator;    // its CPUs, "0-3"
};

struct HwlocNode {
  int number = 0;
  std::string subtype;  // "DRAM", "HBM", "NVM", "SPM"; empty: not told
  std::vector<std::uint64_t> memory_side_cache_bytes;
  std::vector<MemoryAttribute> attributes;
};

struct HwlocMemory {
  std::string source;            // "hwloc 2.9.0", "hwloc not built in"
  std::vector<HwlocNode> nodes;  // by number
};

// Reads the machine itself, also when other readers use a test tree. Never fails.
HwlocMemory read_hwloc_memory();

}  // namespace hdbench
