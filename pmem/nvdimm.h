// Persistent memory as the kernel's NVDIMM and DAX buses show it, through libndctl and libdaxctl.
//
// Built with those libraries or without; nothing here fails, what cannot be seen makes a shorter
// list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hdbench {

enum class NamespaceMode { kFsdax, kSector, kRaw, kDevdax, kUnknown };

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

struct DaxDevice {
  std::string name;  // "dax0.0"
  std::uint64_t bytes = 0;
  int target_node = -1;
  bool system_ram = false;  // used as a NUMA node; otherwise a device for mmap
};

struct PmemHardware {
  std::string source;  // who looked: "libndctl", or that this build cannot look
  std::vector<PmemRegion> regions;
  std::vector<DaxDevice> dax_devices;
};

PmemHardware read_pmem_hardware();

}  // namespace hdbench
