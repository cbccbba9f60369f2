// Selects the NUMA nodes of a medium from what the machine has: `numa:N`, `cxl`,
// `cxl:interleave=3:1`, and memory-mode if only some nodes have a near cache.
//
// A node without CPUs is CXL memory where something says so: a CXL region or soft-reserved memory
// behind it, or a memory tier that is slower than DRAM's. All others (ordinary memory, persistent
// memory as system-ram, HBM, a GPU's memory) are available as `numa:N`.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "pmem/base/medium_spec.h"
#include "pmem/machine/topology.h"
#include "pmem/memory/node_pages.h"

namespace hdbench::pmem {

// Why there is no node to choose.
inline constexpr const char* kNoNodes = "no NUMA nodes shown in /sys/devices/system/node";

struct NodeChoice {
  std::string name;   // "numa:1", "cxl"
  std::string label;  // "real (node 1: 16.0 GiB, no CPUs)"
  NodePolicy policy;
  std::vector<int> weights;  // one a node where pages are spread; empty: bound to one
};

// Errors: kData: no such node (the message names those there are), a node that cannot be used, a
// kernel without weighted interleave, or weights that are not those requested, with the command
// that sets them. Requires: the word's name is numa or cxl, without a profile.
Result<NodeChoice> choose_nodes(const MediumSpec& word, const Machine& machine);

// Nodes that the cxl medium uses, and those without CPUs that it does not, each with the reason.
struct FarNodes {
  std::vector<const NumaNode*> used;
  std::vector<std::string> others;  // "node3 is persistent memory as system-ram: numa:3"
};

// Why a node without CPUs is not CXL memory, to be read after "is"; empty: it is CXL memory.
std::string other_than_cxl(const NumaNode& node, const Machine& machine);
FarNodes far_nodes(const Machine& machine);

// Usable nodes whose memory lies behind a memory-side cache; `all` = every usable node.
struct CachedNodes {
  std::vector<const NumaNode*> nodes;
  bool all = false;
};
CachedNodes cached_nodes(const Machine& machine);

// Memory Mode over some of the machine's nodes. Requires: not empty.
NodeChoice choose_cached_nodes(const CachedNodes& cached);
// "a memory-side cache of 192.0 GiB on node0, direct, 64-byte lines, write-back".
std::string describe_caches(const CachedNodes& cached);

}  // namespace hdbench::pmem
