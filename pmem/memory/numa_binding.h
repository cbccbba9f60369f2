// NUMA placement: on which node the calling thread runs, and memory kept there.
//
// Built with libnuma or without; without it, memory lies on the node of the thread that first
// touches it.
#pragma once

#include <sched.h>

#include <cstddef>
#include <span>

namespace hdbench {

// Whether this build can bind memory to a node.
bool can_bind_memory();

// The node of the calling thread's CPU; 0 where the kernel does not say.
inline int local_node() {
  unsigned cpu = 0;
  unsigned node = 0;
  return ::getcpu(&cpu, &node) == 0 ? static_cast<int>(node) : 0;
}

// One more than the highest node, at least 1.
int node_count();

// Prefers `node` for pages of `memory` that are not touched yet. A kernel or container that refuses
// is no error: the pages then lie where they are first touched. Requires: memory starts on a page.
void prefer_node(std::span<std::byte> memory, int node);

}  // namespace hdbench
