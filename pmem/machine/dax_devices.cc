#include "pmem/machine/dax_devices.h"

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
    found.push_back(std::move(device));
  }
  return found;
}

}  // namespace hdbench::pmem
