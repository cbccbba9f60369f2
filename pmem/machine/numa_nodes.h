// The NUMA nodes in sysfs: CPUs, memory, distances, tiers, firmware figures, what backs nodes
// without CPUs, and which of them this process may use.
//
// Nodes are those that are there, by number: 0, 8, 252 are three. Some have no memory, some no
// CPUs.
//
// Nothing here fails; where sysfs shows less, lists are shorter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"

namespace hdbench::pmem {

// The firmware's figures for a node's speed (ACPI HMAT): access classes and memory-side caches.
// They are not measured.

// Memory Mode and its like: a cache of memory in front of a node's memory.
struct MemorySideCache {
  std::uint64_t bytes = 0;
  std::uint64_t line_bytes = 0;
  int level = 0;
  std::string indexing = {};      // "direct", "indexed" (complex), "other"; empty: not known
  std::string write_policy = {};  // "write-back", "write-through", "other"; empty: not known
};

// From the initiators of one class: 0 the nearest of any kind, 1 the nearest with CPUs.
struct MemoryAccess {
  int access_class = 0;
  std::vector<int> initiators;  // nodes
  std::optional<std::uint64_t> read_bandwidth_mb_s, write_bandwidth_mb_s;
  std::optional<std::uint64_t> read_latency_ns, write_latency_ns;
};

// Reads a node from its sysfs directory, devices/system/node/nodeN.
std::vector<MemorySideCache> read_memory_side_caches(const std::filesystem::path& node);
std::vector<MemoryAccess> read_memory_access(const std::filesystem::path& node);

// Where memory that is not on a CPU's own channels comes from.
enum class MemoryOrigin {
  kUnknown,   // nothing tells: the firmware made it a node
  kPmem,      // an NVDIMM region, used as system-ram
  kCxl,       // a region of CXL devices
  kReserved,  // set apart by the firmware (soft-reserved): CXL, HBM or other
  kGpu,       // a GPU's memory, made a node by its driver
};
const char* word(MemoryOrigin origin);

inline constexpr const char* kWithoutMemory = "a node without memory";

struct NumaNode {
  int number = 0;
  bool has_cpus = false;
  bool online = true;
  std::uint64_t memory_bytes = 0;
  std::vector<MemorySideCache> memory_side_caches = {};
  std::string cpu_list = {};  // "0-3"
  std::uint64_t free_bytes = 0;
  std::uint64_t available_bytes = 0;  // free, or held by the page cache and given back on demand
  std::vector<int> distances = {};    // to the nodes, in the kernel's order of online nodes
  std::vector<MemoryAccess> access = {};
  std::optional<int> memory_tier = {};  // the kernel's; a lower one is faster
  MemoryOrigin origin = MemoryOrigin::kUnknown;
  // Why this process cannot have memory here: none is there, the node is offline, the control group
  // does not allow it. Empty: it can.
  std::string unusable = {};
};

// By number; empty where sysfs shows none. The origins are left unknown.
std::vector<NumaNode> read_numa_nodes(const MachinePaths& paths = {});

// The available memory by the node's current meminfo; nothing without one.
std::optional<std::uint64_t> available_on_node(const std::filesystem::path& sysfs, int node);

// The slowest memory tier of the nodes with CPUs, which is DRAM's; where these have no memory, the
// kernel's own default. Nothing where the kernel shows no tiers.
std::optional<int> dram_tier(const std::vector<NumaNode>& nodes);

// Memory of the same kind as that of the CPUs' own nodes: on such a node, or in its tier.
bool is_ordinary(const NumaNode& node, const std::vector<NumaNode>& nodes);

// Memory faster than that of the nodes with CPUs, by the firmware's read bandwidth (HBM).
bool is_high_bandwidth(const NumaNode& node, const std::vector<NumaNode>& nodes);

// The best read bandwidth that the firmware tells of a node, in MB/s.
std::optional<std::uint64_t> told_read_bandwidth(const NumaNode& node);

// The kernel's weights for interleaving pages over nodes (Linux 6.9 and later):
// /sys/kernel/mm/mempolicy/weighted_interleave/nodeN. They apply to the whole machine, so they are
// read here and never written.
struct WeightedInterleave {
  bool known = false;             // the kernel shows the weights
  std::map<int, int> weights;     // by node
  std::optional<bool> automatic;  // set from the firmware's bandwidths; nothing: not known
};

WeightedInterleave read_weighted_interleave(const std::filesystem::path& sysfs);

}  // namespace hdbench::pmem
