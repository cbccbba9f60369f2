// CXL as the kernel shows it (bus/cxl/devices): memory devices, regions, and the decoders that
// route addresses to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hdbench::pmem {

struct CxlMemdev {
  std::string name;  // "mem0"
  std::uint64_t ram_bytes = 0;
  std::uint64_t pmem_bytes = 0;
  int numa_node = -1;
  std::string pci_address;  // "0000:35:00.0"; empty: not known
  std::string serial, firmware;
};

struct CxlRegion {
  std::string name;         // "region0"
  std::uint64_t start = 0;  // its first physical address; 0: not known
  std::uint64_t bytes = 0;
  std::string mode;  // "ram", "pmem"; empty: not known
  int interleave_ways = 0;
  std::uint64_t interleave_bytes = 0;
  bool committed = false;
  std::string root;                      // its root decoder; empty: not known
  std::vector<std::string> decoders;     // endpoint decoders, one a device
  std::vector<std::string> dax_devices;  // "dax0.0"
};

struct CxlDecoder {
  std::string name;  // "decoder0.0"
  std::string type;  // "root", "switch", "endpoint"; empty: not known
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;
  std::string mode;  // of an endpoint decoder: "ram", "pmem", "none"
  int interleave_ways = 0;
  std::uint64_t interleave_bytes = 0;
  std::string region;     // that it belongs to; empty: none
  std::string memdev;     // of an endpoint decoder; empty: not known
  bool takes_ram = true;  // of a root decoder: volatile memory may lie there
};

struct CxlHardware {
  bool has_bus = false;  // the kernel has CXL built in, and loaded
  std::vector<CxlMemdev> memdevs;
  std::vector<CxlRegion> regions;
  std::vector<CxlDecoder> decoders;
};

CxlHardware read_cxl_hardware(const std::filesystem::path& sysfs);

}  // namespace hdbench::pmem
