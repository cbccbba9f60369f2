// NUMA placement of ordinary memory: pages are spread over the nodes whose CPUs this process uses.
//
// By system calls and sysfs, not by libnuma, which ends the program before main() where
// /sys/devices/system/node is empty or senseless.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pmem/base/machine_paths.h"

namespace hdbench::pmem {

// Whether the kernel (or container) has memory policies.
bool can_bind_memory();

// The nodes of these CPUs that have memory, rising; empty where sysfs shows none.
std::vector<int> nodes_of_cpus(const std::vector<int>& cpus, const MachinePaths& paths = {});

// Those of the CPUs that this process may use, as far as it may take their memory; empty where
// memory cannot be bound.
const std::vector<int>& own_nodes();

// Spreads pages of `memory` that are not touched yet over these nodes, page by page; over one node
// alone it prefers that. No nodes, or a kernel or container that refuses, is no error: the pages
// then lie where they are first touched. Requires: memory starts on a page.
void spread_over(std::span<std::byte> memory, const std::vector<int>& nodes);

}  // namespace hdbench::pmem
