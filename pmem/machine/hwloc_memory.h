// hwloc's information on the nodes' memory: kind, memory-side caches, and firmware figures, in
// addition to sysfs (numa_nodes.h).
//
// In a build without hwloc the list is empty and says so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hdbench::pmem {

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

// Never fails: hwloc runs in a process of its own, without its HWLOC_ variables, and where that
// ends early `source` says how. `root`: of the trees /sys and /proc; tests give another one.
// Requires: this process has one thread.
HwlocMemory read_hwloc_memory(const std::filesystem::path& root = "/");

}  // namespace hdbench::pmem
