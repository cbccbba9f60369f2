#include <daxctl/libdaxctl.h>
#include <ndctl/libndctl.h>

#include <memory>

#include "pmem/nvdimm.h"

namespace hdbench {
namespace {

NamespaceMode mode_of(ndctl_namespace* one) {
  switch (ndctl_namespace_get_mode(one)) {
    case NDCTL_NS_MODE_FSDAX: return NamespaceMode::kFsdax;
    case NDCTL_NS_MODE_SECTOR: return NamespaceMode::kSector;
    case NDCTL_NS_MODE_RAW: return NamespaceMode::kRaw;
    case NDCTL_NS_MODE_DEVDAX: return NamespaceMode::kDevdax;
    case NDCTL_NS_MODE_UNKNOWN: break;
  }
  return NamespaceMode::kUnknown;
}

// An fsdax namespace's block device belongs to the pfn on top of it.
std::string block_device_of(ndctl_namespace* one) {
  ndctl_pfn* pfn = ndctl_namespace_get_pfn(one);
  const char* name =
      pfn != nullptr ? ndctl_pfn_get_block_device(pfn) : ndctl_namespace_get_block_device(one);
  return name != nullptr ? name : "";
}

std::string persistence_domain_of(ndctl_region* region) {
  switch (ndctl_region_get_persistence_domain(region)) {
    case PERSISTENCE_CPU_CACHE: return "cpu_cache";
    case PERSISTENCE_MEM_CTRL: return "memory_controller";
    default: return "unknown";
  }
}

PmemRegion read_region(ndctl_region* region) {
  PmemRegion found;
  found.name = ndctl_region_get_devname(region);
  found.bytes = ndctl_region_get_size(region);
  found.numa_node = ndctl_region_get_numa_node(region);
  found.target_node = ndctl_region_get_target_node(region);
  found.persistence_domain = persistence_domain_of(region);
  ndctl_namespace* one = nullptr;
  ndctl_namespace_foreach(region, one) {
    const auto bytes = ndctl_namespace_get_size(one);
    if (bytes == 0) continue;  // the seed of the next namespace
    found.namespaces.push_back(
        {ndctl_namespace_get_devname(one), mode_of(one), bytes, block_device_of(one)});
  }
  return found;
}

void read_regions(PmemHardware& hardware) {
  ndctl_ctx* context = nullptr;
  if (ndctl_new(&context) < 0) return;
  const std::unique_ptr<ndctl_ctx, decltype(&ndctl_unref)> owner(context, &ndctl_unref);
  ndctl_bus* bus = nullptr;
  ndctl_bus_foreach(context, bus) {
    ndctl_region* region = nullptr;
    ndctl_region_foreach(bus, region) hardware.regions.push_back(read_region(region));
  }
}

void read_dax_devices(PmemHardware& hardware) {
  daxctl_ctx* context = nullptr;
  if (daxctl_new(&context) < 0) return;
  const std::unique_ptr<daxctl_ctx, decltype(&daxctl_unref)> owner(context, &daxctl_unref);
  daxctl_region* region = nullptr;
  daxctl_region_foreach(context, region) {
    daxctl_dev* device = nullptr;
    daxctl_dev_foreach(region, device) {
      hardware.dax_devices.push_back({daxctl_dev_get_devname(device), daxctl_dev_get_size(device),
                                      daxctl_dev_get_target_node(device),
                                      daxctl_dev_get_memory(device) != nullptr});
    }
  }
}

}  // namespace

PmemHardware read_pmem_hardware() {
  PmemHardware hardware;
  hardware.source = "libndctl";
  read_regions(hardware);
  read_dax_devices(hardware);
  return hardware;
}

}  // namespace hdbench
