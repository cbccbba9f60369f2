// Device DAX as sysfs shows it (bus/dax): memory used as a device for mmap or as a NUMA node, and
// what backs it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pmem/machine/numa_nodes.h"

namespace hdbench::pmem {

struct DaxDevice {
  std::string name;  // "dax0.0"
  std::uint64_t bytes = 0;
  int target_node = -1;
  bool system_ram = false;  // used as a NUMA node; otherwise a device for mmap
  int numa_node = -1;       // whose CPUs are nearest
  std::uint64_t align_bytes = 0;
  MemoryOrigin origin = MemoryOrigin::kUnknown;
};

std::vector<DaxDevice> read_dax_devices(const std::filesystem::path& sysfs);

}  // namespace hdbench::pmem
