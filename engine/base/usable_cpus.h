// The order in which a pool takes CPUs, and the memory node of each.
#pragma once

#include <filesystem>
#include <vector>

namespace hdbench {

// First one hardware thread of every core, then the second ones, and so on, as
// /sys/devices/system/cpu/cpuN/topology describes them; the cores of a socket stand together. A CPU
// that is not described, or not in its own list of siblings, is a core by itself.
std::vector<int> by_core(const std::vector<int>& cpus,
                         const std::filesystem::path& described = "/sys/devices/system/cpu");

// The memory node of a CPU, by its directory's nodeN entry; 0 where the kernel shows none.
int node_of_cpu(int cpu, const std::filesystem::path& described = "/sys/devices/system/cpu");

}  // namespace hdbench
