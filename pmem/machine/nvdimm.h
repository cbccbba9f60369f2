// Persistent memory and device DAX as sysfs shows them (bus/nd, bus/dax).
//
// Nothing here fails; what cannot be read makes a shorter list.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pmem/machine/memory_blocks.h"
#include "pmem/machine/numa_nodes.h"

namespace hdbench::pmem {

// Memory used as a device for mmap or as a NUMA node, and what backs it.
struct DaxDevice {
  std::string name;  // "dax0.0"
  std::uint64_t bytes = 0;
  int target_node = -1;
  bool system_ram = false;  // used as a NUMA node; otherwise a device for mmap
  int numa_node = -1;       // whose CPUs are nearest
  std::uint64_t align_bytes = 0;
  MemoryOrigin origin = MemoryOrigin::kUnknown;
  // As system-ram: its own where the kernel tells its addresses (to root), else those of its node
  // if that has no CPUs.
  MemoryBlocks blocks = {};
};

std::vector<DaxDevice> read_dax_devices(const std::filesystem::path& sysfs);

enum class NamespaceMode { kFsdax, kSector, kRaw, kDevdax, kUnknown };
const char* word(NamespaceMode mode);

struct PmemNamespace {
  std::string name;  // "namespace0.0"
  NamespaceMode mode = NamespaceMode::kUnknown;
  std::uint64_t bytes = 0;
  std::string block_device;  // "pmem0"; empty for devdax
};

struct PmemRegion {
  std::string name;  // "region0"
  std::uint64_t bytes = 0;
  int numa_node = -1;              // whose CPUs are nearest
  int target_node = -1;            // what its memory would become as a node of its own
  std::string persistence_domain;  // "cpu_cache" (eADR), "memory_controller", "unknown"
  std::vector<PmemNamespace> namespaces;
};

struct PmemHardware {
  std::vector<PmemRegion> regions;
  std::vector<DaxDevice> dax_devices;
  std::string source = "sysfs";  // for the user: where this was read
};

std::vector<PmemRegion> read_pmem_regions(const std::filesystem::path& sysfs);
PmemHardware read_pmem_hardware(const std::filesystem::path& sysfs);

}  // namespace hdbench::pmem
