#include "pmem/memory/numa_binding.h"

namespace hdbench {

bool can_bind_memory() { return false; }

// One arena a process: the kernel places each page on the node of the thread that copies into it.
int node_count() { return 1; }

void prefer_node(std::span<std::byte>, int) {}

}  // namespace hdbench
