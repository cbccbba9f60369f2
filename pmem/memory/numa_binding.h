// NUMA placement: on which node the calling thread runs, and memory kept there.
//
// By system calls and sysfs, not by libnuma, which ends the program before main() where
// /sys/devices/system/node is empty or senseless.
#pragma once

#include <sched.h>

#include <cstddef>
#include <span>

#include "pmem/base/machine_paths.h"

namespace hdbench {

// Whether the kernel (or container) has memory policies.
bool can_bind_memory();

// The node of the calling thread's CPU; 0 where the kernel does not say.
inline int local_node() {
  unsigned cpu = 0;
  unsigned node = 0;
  return ::getcpu(&cpu, &node) == 0 ? static_cast<int>(node) : 0;
}

// One more than the highest node that sysfs shows, at least 1; 1 where memory cannot be bound.
int node_count();
int node_count(const MachinePaths& paths);  // of these files alone

// Prefers `node` for pages of `memory` that are not touched yet. A kernel or container that refuses
// is no error: the pages then lie where they are first touched. Requires: memory starts on a page.
void prefer_node(std::span<std::byte> memory, int node);

}  // namespace hdbench
