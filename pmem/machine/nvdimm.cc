#include "pmem/machine/nvdimm.h"

#include <string_view>
#include <system_error>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

// A device's place in the tree names what it is made of:
//   .../ndbus0/region0/dax0.0/dax0.0                                    an NVDIMM
//   .../root0/nvdimm-bridge0/ndbus0/region0/dax0.0/dax0.0               CXL, persistent
//   .../root0/decoder0.0/region0/dax_region0/dax0.0                     CXL
//   .../hmem.0/dax0.0                                                   soft-reserved
MemoryOrigin origin_of(const std::filesystem::path& device) {
  std::error_code failed;
  const auto place = std::filesystem::canonical(device, failed);
  if (failed) return MemoryOrigin::kUnknown;
  MemoryOrigin origin = MemoryOrigin::kUnknown;
  for (const auto& part : place) {
    const std::string name = part.string();
    if (name.starts_with("nvdimm-bridge") || name.starts_with("dax_region")) {
      return MemoryOrigin::kCxl;
    }
    if (name.starts_with("ndbus")) origin = MemoryOrigin::kPmem;
    if (name.starts_with("hmem")) origin = MemoryOrigin::kReserved;
  }
  return origin;
}

MemoryBlocks blocks_of(const DaxDevice& device, const std::filesystem::path& place,
                       const std::filesystem::path& sysfs) {
  if (const auto start = read_figure(place / "resource"); start && *start != 0)
    return read_memory_blocks(sysfs, *start, device.bytes);
  const auto node = sysfs / "devices/system/node" / ("node" + std::to_string(device.target_node));
  if (!first_line(node / "cpulist").empty()) return {};
  return read_memory_blocks(sysfs, device.target_node);
}

NamespaceMode mode_of(const std::string& text) {
  if (text == "memory") return NamespaceMode::kFsdax;
  if (text == "safe") return NamespaceMode::kSector;
  if (text == "raw") return NamespaceMode::kRaw;
  if (text == "dax") return NamespaceMode::kDevdax;
  return NamespaceMode::kUnknown;
}

// A namespace's block device belongs to what was put on top of it (pfn0.0, btt0.0), if anything.
std::string block_device_of(const std::filesystem::path& bus, const std::string& name) {
  const std::string holder = first_line(bus / name / "holder");
  for (const std::string& owner : {holder, name}) {
    if (owner.empty()) continue;
    const auto devices = names_below(bus / owner / "block");
    if (!devices.empty()) return devices.front();
  }
  return {};
}

PmemRegion read_pmem_region(const std::filesystem::path& bus,
                            const std::filesystem::path& directory) {
  PmemRegion region;
  region.name = directory.filename().string();
  region.bytes = read_figure(directory / "size").value_or(0);
  region.numa_node = read_int(directory / "numa_node").value_or(-1);
  region.target_node = read_int(directory / "target_node").value_or(-1);
  region.persistence_domain = first_line(directory / "persistence_domain");
  if (region.persistence_domain.empty()) region.persistence_domain = "unknown";
  const std::string prefix = "namespace" + region.name.substr(std::string("region").size()) + ".";
  for (const std::string& name : names_below(bus, prefix)) {
    const std::uint64_t bytes = read_figure(bus / name / "size").value_or(0);
    if (bytes == 0) continue;  // the seed of the next namespace
    region.namespaces.push_back(
        {name, mode_of(first_line(bus / name / "mode")), bytes, block_device_of(bus, name)});
  }
  return region;
}

}  // namespace

std::vector<DaxDevice> read_dax_devices(const std::filesystem::path& sysfs) {
  std::vector<DaxDevice> found;
  const auto bus = sysfs / "bus/dax/devices";
  for (const std::string& name : names_below(bus, "dax")) {
    const auto place = bus / name;
    DaxDevice device;
    device.name = name;
    device.bytes = read_figure(place / "size").value_or(0);
    if (device.bytes == 0) continue;  // the seed of the next device
    device.target_node = read_int(place / "target_node").value_or(-1);
    device.system_ram = link_name(place / "driver") == "kmem";
    device.numa_node = read_int(place / "numa_node").value_or(-1);
    device.align_bytes = read_figure(place / "align").value_or(0);
    device.origin = origin_of(place);
    if (device.system_ram) device.blocks = blocks_of(device, place, sysfs);
    found.push_back(std::move(device));
  }
  return found;
}

const char* word(NamespaceMode mode) {
  switch (mode) {
    case NamespaceMode::kFsdax: return "fsdax";
    case NamespaceMode::kSector: return "sector";
    case NamespaceMode::kRaw: return "raw";
    case NamespaceMode::kDevdax: return "devdax";
    case NamespaceMode::kUnknown: break;
  }
  return "unknown";
}

std::vector<PmemRegion> read_pmem_regions(const std::filesystem::path& sysfs) {
  std::vector<PmemRegion> regions;
  const auto bus = sysfs / "bus/nd/devices";
  for (const auto& [number, directory] : numbered(bus, "region")) {
    regions.push_back(read_pmem_region(bus, directory));
  }
  return regions;
}

PmemHardware read_pmem_hardware(const std::filesystem::path& sysfs) {
  return {read_pmem_regions(sysfs), read_dax_devices(sysfs)};
}

}  // namespace hdbench::pmem
