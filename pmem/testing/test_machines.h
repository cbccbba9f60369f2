// For tests: machines as directory trees, with the files that the kernel of such a machine shows.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"
#include "pmem/testing/test_files.h"

namespace hdbench::testing {
using namespace pmem;

class FakeMachine {
 public:
  MachinePaths paths() const { return {root_.path() / "sys", root_.path() / "proc"}; }

  void sys(const std::string& file, const std::string& text) {
    write_text(root_.path() / "sys" / file, text + "\n");
  }
  void proc(const std::string& file, const std::string& text) {
    write_text(root_.path() / "proc" / file, text);
  }
  // Both paths below sys; the device's directory is made.
  void link(const std::string& from, const std::string& device) {
    const auto link = root_.path() / "sys" / from;
    std::filesystem::create_directories(link.parent_path());
    std::filesystem::create_directories(root_.path() / "sys" / device);
    std::filesystem::remove(link);
    std::filesystem::create_directory_symlink(root_.path() / "sys" / device, link);
  }
  void node(int number, const std::string& cpus, std::uint64_t mebibytes) {
    const std::string place = "devices/system/node/node" + std::to_string(number);
    const std::string head = "Node " + std::to_string(number) + " ";
    sys(place + "/cpulist", cpus);
    sys(place + "/meminfo", head + "MemTotal: " + std::to_string(mebibytes << 10) + " kB\n" + head +
                                "MemFree: " + std::to_string(mebibytes << 9) + " kB\n" + head +
                                "Active(file): 1024 kB\n" + head + "Inactive(file): 2048 kB");
  }
  // Memory blocks of a node, from this number on, each online in a zone or "offline".
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{128} << 20;
  void blocks(int node, int first, const std::vector<std::string>& zones) {
    sys("devices/system/memory/block_size_bytes", fmt::format("{:x}", kBlockBytes));
    for (const std::string& zone : zones) {
      const std::string name = fmt::format("memory{}", first++);
      const std::string place = "devices/system/memory/" + name;
      sys(place + "/state", zone == "offline" ? zone : "online");
      sys(place + "/valid_zones", zone == "offline" ? "Normal Movable" : zone);
      link(fmt::format("devices/system/node/node{}/{}", node, name), place);
    }
  }
  // A memory device of the CXL bus with its endpoint decoder, which a region has or none ("").
  void memdev(int number, std::uint64_t ram_bytes, const std::string& region,
              std::uint64_t decoded_bytes) {
    const std::string name = fmt::format("mem{}", number);
    const std::string place = fmt::format("devices/pci0000:34/0000:34:0{}.0/{}", number, name);
    sys(place + "/ram/size", fmt::format("{:#x}", ram_bytes));
    sys(place + "/pmem/size", "0x0");
    sys(place + "/numa_node", "0");
    link("bus/cxl/devices/" + name, place);
    const int port = number + 2;
    const std::string endpoint =
        fmt::format("devices/platform/ACPI0017:00/root0/port1/endpoint{}", port);
    const std::string decoder = fmt::format("{}/decoder{}.0", endpoint, port);
    sys(decoder + "/devtype", "cxl_decoder_endpoint");
    sys(decoder + "/size", fmt::format("{:#x}", decoded_bytes));
    sys(decoder + "/region", region);
    link(endpoint + "/uport", place);
    link(fmt::format("bus/cxl/devices/decoder{}.0", port), decoder);
  }
  void root_decoder(const std::string& name, std::uint64_t bytes, const std::string& takes_ram) {
    const std::string place = "devices/platform/ACPI0017:00/root0/" + name;
    sys(place + "/devtype", "cxl_decoder_root");
    sys(place + "/start", "0x1080000000");
    sys(place + "/size", fmt::format("{:#x}", bytes));
    sys(place + "/interleave_ways", "1");
    sys(place + "/cap_ram", takes_ram);
    link("bus/cxl/devices/" + name, place);
  }
  // bus/dax's device at its place in the tree.
  void dax(const std::string& name, const std::string& place, int target_node, bool system_ram) {
    sys(place + "/size", "1073741824");
    sys(place + "/target_node", std::to_string(target_node));
    sys(place + "/align", "2097152");
    link("bus/dax/devices/" + name, place);
    link(place + "/driver", std::string("bus/dax/drivers/") + (system_ram ? "kmem" : "device_dax"));
  }

 private:
  TemporaryDirectory root_;
};

// A container that shows proc, and no sysfs.
inline void make_container(FakeMachine& machine) {
  machine.proc("meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
  machine.proc("self/mountinfo", "1 0 0:50 / / rw,relatime - overlay overlay rw,lowerdir=/a\n");
}

inline void make_two_sockets(FakeMachine& machine) {
  machine.node(0, "0-3,8-11", 65536);
  machine.node(1, "4-7,12-15", 65536);
  machine.sys("devices/system/node/node0/distance", "10 21");
  machine.sys("devices/system/node/node1/distance", "21 10");
  machine.sys("devices/virtual/memory_tiering/memory_tier4/nodelist", "0-1");
  machine.proc("meminfo", "MemTotal: 134217728 kB\n");
}

// Optane behind a direct-mapped near cache on both sockets.
inline void make_memory_mode(FakeMachine& machine) {
  make_two_sockets(machine);
  for (const std::string node : {"node0", "node1"}) {
    const std::string cache = "devices/system/node/" + node + "/memory_side_cache/index1/";
    machine.sys(cache + "size", "206158430208");
    machine.sys(cache + "line_size", "64");
    machine.sys(cache + "indexing", "0");
    machine.sys(cache + "write_policy", "0");
  }
}

// Optane in App Direct: an fsdax namespace that is mounted, a raw and a devdax one, and a region
// without any.
inline void make_app_direct(FakeMachine& machine) {
  make_two_sockets(machine);
  const std::string acpi = "devices/LNXSYSTM:00/ACPI0012:00/ndbus0/";
  for (const std::string number : {"0", "1"}) {
    const std::string region = fmt::format("{}region{}", acpi, number);
    machine.sys(region + "/size", "811748818944");
    machine.sys(region + "/numa_node", number);
    machine.sys(region + "/target_node", number == "0" ? "2" : "3");
    machine.sys(region + "/persistence_domain", number == "0" ? "memory_controller" : "cpu_cache");
    machine.link("bus/nd/devices/region" + number, region);
  }
  const auto add_namespace = [&](const std::string& name, const std::string& size,
                                 const std::string& mode, const std::string& holder) {
    const std::string place = acpi + "region0/" + name;
    machine.sys(place + "/size", size);
    machine.sys(place + "/mode", mode);
    machine.sys(place + "/holder", holder);
    machine.link("bus/nd/devices/" + name, place);
  };
  add_namespace("namespace0.0", "266352984064", "memory", "pfn0.0");
  add_namespace("namespace0.1", "1073741824", "raw", "");
  add_namespace("namespace0.2", "1073741824", "dax", "dax0.1");
  add_namespace("namespace0.3", "0", "raw", "");
  std::filesystem::create_directories(machine.paths().sysfs / acpi / "region0/pfn0.0/block/pmem0");
  machine.link("bus/nd/devices/pfn0.0", acpi + "region0/pfn0.0");
  std::filesystem::create_directories(machine.paths().sysfs / acpi /
                                      "region0/namespace0.1/block/pmem0.1");
  machine.dax("dax0.1", acpi + "region0/dax0.1/dax0.1", 2, false);
  machine.link("dev/block/259:0", acpi + "region0/pfn0.0/block/pmem0");
  machine.proc("self/mountinfo",
               "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
               "40 27 259:0 / /mnt/pmem rw,relatime - ext4 /dev/pmem0 rw,dax=always\n");
}

// A CXL device whose region is a node without CPUs, with the firmware's figures.
inline void make_cxl(FakeMachine& machine) {
  machine.node(0, "0-7", 65536);
  machine.node(2, "", 32768);
  machine.sys("devices/system/node/node0/distance", "10 14");
  machine.sys("devices/system/node/node2/distance", "14 10");
  machine.sys("devices/virtual/memory_tiering/memory_tier4/nodelist", "0");
  machine.sys("devices/virtual/memory_tiering/memory_tier22/nodelist", "2");
  const auto speed = [&](const std::string& node, const std::string& mb_s, const std::string& ns) {
    const std::string place = "devices/system/node/" + node + "/access0/initiators";
    machine.sys(place + "/read_bandwidth", mb_s);
    machine.sys(place + "/write_bandwidth", mb_s);
    machine.sys(place + "/read_latency", ns);
    machine.sys(place + "/write_latency", ns);
    machine.link(place + "/node0", "devices/system/node/node0");
  };
  speed("node0", "230400", "110");
  speed("node2", "28800", "270");
  machine.sys("kernel/mm/mempolicy/weighted_interleave/node0", "3");
  machine.sys("kernel/mm/mempolicy/weighted_interleave/node2", "1");
  machine.sys("kernel/mm/mempolicy/weighted_interleave/auto", "false");

  const std::string memdev = "devices/pci0000:34/0000:34:01.0/0000:35:00.0/mem0";
  machine.sys(memdev + "/ram/size", "0x800000000");
  machine.sys(memdev + "/pmem/size", "0x0");
  machine.sys(memdev + "/numa_node", "0");
  machine.sys(memdev + "/serial", "0x1234");
  machine.sys(memdev + "/firmware_version", "1.02");
  machine.link("bus/cxl/devices/mem0", memdev);
  const std::string root = "devices/platform/ACPI0017:00/root0/decoder0.0";
  machine.sys(root + "/devtype", "cxl_decoder_root");
  machine.sys(root + "/start", "0x1080000000");
  machine.sys(root + "/size", "0x800000000");
  machine.sys(root + "/interleave_ways", "1");
  machine.sys(root + "/interleave_granularity", "256");
  machine.link("bus/cxl/devices/decoder0.0", root);
  const std::string region = root + "/region0";
  machine.sys(region + "/size", "0x800000000");
  machine.sys(region + "/mode", "ram");
  machine.sys(region + "/interleave_ways", "1");
  machine.sys(region + "/interleave_granularity", "256");
  machine.sys(region + "/commit", "1");
  machine.sys(region + "/target0", "decoder2.0");
  machine.link("bus/cxl/devices/region0", region);
  const std::string port = "devices/platform/ACPI0017:00/root0/port1/endpoint2";
  machine.sys(port + "/decoder2.0/devtype", "cxl_decoder_endpoint");
  machine.sys(port + "/decoder2.0/size", "0x800000000");
  machine.sys(port + "/decoder2.0/region", "region0");
  machine.link(port + "/uport", memdev);
  machine.link("bus/cxl/devices/decoder2.0", port + "/decoder2.0");
  machine.dax("dax0.0", region + "/dax_region0/dax0.0", 2, true);
}

}  // namespace hdbench::testing
