// Persistent memory as the kernel's NVDIMM and DAX buses show it: through libndctl and libdaxctl,
// or from sysfs in a build without them.
//
// Nothing here fails; what cannot be read makes a shorter list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"
#include "pmem/machine/dax_devices.h"

namespace hdbench::pmem {

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
  std::string source;  // who looked: "libndctl", "sysfs (libndctl not built in)"
  std::vector<PmemRegion> regions;
  std::vector<DaxDevice> dax_devices;
};

// libndctl knows only the real tree: another one is read as sysfs.
PmemHardware read_pmem_hardware(const MachinePaths& paths = {});

// The same, from sysfs only.
std::vector<PmemRegion> read_pmem_regions(const std::filesystem::path& sysfs);

}  // namespace hdbench::pmem
