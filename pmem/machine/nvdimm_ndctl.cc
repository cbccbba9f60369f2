#include <daxctl/libdaxctl.h>
#include <ndctl/libndctl.h>

#include <algorithm>
#include <memory>

#include "pmem/machine/nvdimm.h"

namespace hdbench::pmem {
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

// What libdaxctl does not tell (where the memory comes from) is sysfs's.
DaxDevice from_sysfs(const std::vector<DaxDevice>& seen, const char* name) {
  const auto found = std::find_if(seen.begin(), seen.end(),
                                  [&](const DaxDevice& one) { return one.name == name; });
  if (found != seen.end()) return *found;
  DaxDevice device;
  device.name = name;
  return device;
}

void list_dax_devices(PmemHardware& hardware) {
  const std::vector<DaxDevice> seen = read_dax_devices(MachinePaths{}.sysfs);
  daxctl_ctx* context = nullptr;
  if (daxctl_new(&context) < 0) return;
  const std::unique_ptr<daxctl_ctx, decltype(&daxctl_unref)> owner(context, &daxctl_unref);
  daxctl_region* region = nullptr;
  daxctl_region_foreach(context, region) {
    daxctl_dev* one = nullptr;
    daxctl_dev_foreach(region, one) {
      DaxDevice device = from_sysfs(seen, daxctl_dev_get_devname(one));
      device.bytes = daxctl_dev_get_size(one);
      if (device.bytes == 0) continue;  // the seed of the next device
      device.target_node = daxctl_dev_get_target_node(one);
      device.system_ram = daxctl_dev_get_memory(one) != nullptr;
      hardware.dax_devices.push_back(std::move(device));
    }
  }
}

}  // namespace

PmemHardware read_pmem_hardware(const MachinePaths& paths) {
  if (paths.sysfs != MachinePaths{}.sysfs) {
    return {"sysfs", read_pmem_regions(paths.sysfs), read_dax_devices(paths.sysfs)};
  }
  PmemHardware hardware;
  hardware.source = "libndctl";
  read_regions(hardware);
  list_dax_devices(hardware);
  return hardware;
}

}  // namespace hdbench::pmem
