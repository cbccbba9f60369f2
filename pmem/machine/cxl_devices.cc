#include "pmem/machine/cxl_devices.h"

#include <string_view>
#include <system_error>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

// The directory that a device hangs below is its PCI function: .../0000:35:00.0/mem0.
std::string pci_address_of(const std::filesystem::path& device) {
  std::error_code failed;
  const auto place = std::filesystem::canonical(device, failed);
  if (failed) return {};
  std::string parent = place.parent_path().filename().string();
  return parent.find(':') == std::string::npos ? std::string() : parent;
}

CxlMemdev read_memdev(const std::filesystem::path& place) {
  CxlMemdev device;
  device.name = place.filename().string();
  device.ram_bytes = read_figure(place / "ram/size").value_or(0);
  device.pmem_bytes = read_figure(place / "pmem/size").value_or(0);
  device.numa_node = read_int(place / "numa_node").value_or(-1);
  device.pci_address = pci_address_of(place);
  device.serial = first_line(place / "serial");
  device.firmware = first_line(place / "firmware_version");
  return device;
}

CxlRegion read_cxl_region(const std::filesystem::path& place) {
  CxlRegion region;
  region.name = place.filename().string();
  region.start = read_figure(place / "resource").value_or(0);
  region.bytes = read_figure(place / "size").value_or(0);
  region.mode = first_line(place / "mode");
  region.interleave_ways = read_int(place / "interleave_ways").value_or(0);
  region.interleave_bytes = read_figure(place / "interleave_granularity").value_or(0);
  region.committed = read_int(place / "commit").value_or(0) == 1;
  std::error_code failed;
  const auto root = std::filesystem::canonical(place, failed).parent_path().filename().string();
  if (!failed && root.starts_with("decoder")) region.root = root;
  for (const auto& [number, target] : numbered(place, "target")) {
    std::string decoder = first_line(target);
    if (!decoder.empty()) region.decoders.push_back(std::move(decoder));
  }
  for (const std::string& below : names_below(place, "dax_region")) {
    for (std::string& name : names_below(place / below, "dax")) {
      // Beside its devices a dax_region has a directory of its own attributes, "dax_region".
      if (name.find('.') != std::string::npos) region.dax_devices.push_back(std::move(name));
    }
  }
  return region;
}

CxlDecoder read_decoder(const std::filesystem::path& place) {
  constexpr std::string_view kTypePrefix = "cxl_decoder_";
  CxlDecoder decoder;
  decoder.name = place.filename().string();
  const std::string type = first_line(place / "devtype");
  if (type.starts_with(kTypePrefix)) decoder.type = type.substr(kTypePrefix.size());
  decoder.start = read_figure(place / "start").value_or(0);
  decoder.bytes = read_figure(place / "size").value_or(0);
  decoder.mode = first_line(place / "mode");
  decoder.interleave_ways = read_int(place / "interleave_ways").value_or(0);
  decoder.interleave_bytes = read_figure(place / "interleave_granularity").value_or(0);
  decoder.region = first_line(place / "region");
  decoder.takes_ram = read_int(place / "cap_ram").value_or(1) != 0;
  // It hangs below its device's port: .../endpoint2/decoder2.0, .../endpoint2/uport -> mem0.
  std::error_code failed;
  const auto port = std::filesystem::canonical(place, failed).parent_path();
  if (!failed && decoder.type == "endpoint") decoder.memdev = link_name(port / "uport");
  return decoder;
}

}  // namespace

CxlHardware read_cxl_hardware(const std::filesystem::path& sysfs) {
  CxlHardware hardware;
  const auto bus = sysfs / "bus/cxl/devices";
  std::error_code failed;
  hardware.has_bus = std::filesystem::is_directory(bus, failed);
  for (const auto& [number, place] : numbered(bus, "mem")) {
    hardware.memdevs.push_back(read_memdev(place));
  }
  for (const auto& [number, place] : numbered(bus, "region")) {
    hardware.regions.push_back(read_cxl_region(place));
  }
  for (const std::string& name : names_below(bus, "decoder")) {
    hardware.decoders.push_back(read_decoder(bus / name));
  }
  return hardware;
}

}  // namespace hdbench::pmem
