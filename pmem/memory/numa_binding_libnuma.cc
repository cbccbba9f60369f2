#include <numa.h>
#include <numaif.h>

#include <algorithm>

#include "pmem/memory/numa_binding.h"

namespace hdbench {

bool can_bind_memory() { return numa_available() >= 0; }

int node_count() { return can_bind_memory() ? std::max(1, numa_max_node() + 1) : 1; }

void prefer_node(std::span<std::byte> memory, int node) {
  if (!can_bind_memory() || node < 0 || node >= node_count()) return;
  // Not numa_tonode_memory: that prints to stderr where a container forbids the call.
  bitmask* mask = numa_allocate_nodemask();
  numa_bitmask_setbit(mask, static_cast<unsigned>(node));
  ::mbind(memory.data(), memory.size(), MPOL_PREFERRED, mask->maskp, mask->size + 1, 0);
  numa_bitmask_free(mask);
}

}  // namespace hdbench
