// NUMA placement: on which node the calling thread runs, and memory kept there.
//
// By system calls and sysfs, not by libnuma, which ends the program before main() where
// /sys/devices/system/node is empty or senseless.
#pragma once

#include <sched.h>

#include <cstddef>
#include <span>
#include <vector>

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

// Numbers of the nodes that sysfs shows, rising, as many as there are and not up to the highest;
// node 0 alone where it shows none, or where memory cannot be bound.
std::vector<int> node_numbers(const MachinePaths& paths);
const std::vector<int>& node_numbers();

// The place of the calling thread's node among node_numbers(); 0 where it is none of them.
std::size_t local_node_place();

// Prefers `node` for pages of `memory` that are not touched yet. A kernel or container that refuses
// is no error: the pages then lie where they are first touched. Requires: memory starts on a page.
void prefer_node(std::span<std::byte> memory, int node);

}  // namespace hdbench
