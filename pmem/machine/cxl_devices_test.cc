#include "pmem/machine/cxl_devices.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

TEST_CASE("a kernel without the bus, and a bus without devices, are distinguished") {
  FakeMachine fake;
  CHECK_FALSE(read_cxl_hardware(fake.paths().sysfs).has_bus);
  std::filesystem::create_directories(fake.paths().sysfs / "bus/cxl/devices");
  const CxlHardware bare = read_cxl_hardware(fake.paths().sysfs);
  CHECK(bare.has_bus);
  CHECK(bare.memdevs.empty());
  CHECK(bare.regions.empty());
  CHECK(bare.decoders.empty());
}

TEST_CASE("memory devices, regions and decoders are read") {
  FakeMachine fake;
  make_cxl(fake);
  const CxlHardware found = read_cxl_hardware(fake.paths().sysfs);
  REQUIRE(found.memdevs.size() == 1);
  CHECK(found.memdevs[0].name == "mem0");
  CHECK(found.memdevs[0].ram_bytes == std::uint64_t{32} << 30);
  CHECK(found.memdevs[0].pmem_bytes == 0);
  CHECK(found.memdevs[0].numa_node == 0);
  CHECK(found.memdevs[0].pci_address == "0000:35:00.0");
  CHECK(found.memdevs[0].firmware == "1.02");
  REQUIRE(found.regions.size() == 1);
  CHECK(found.regions[0].bytes == std::uint64_t{32} << 30);
  CHECK(found.regions[0].mode == "ram");
  CHECK(found.regions[0].interleave_ways == 1);
  CHECK(found.regions[0].interleave_bytes == 256);
  CHECK(found.regions[0].committed);
  CHECK(found.regions[0].decoders == std::vector<std::string>{"decoder2.0"});
  CHECK(found.regions[0].dax_devices == std::vector<std::string>{"dax0.0"});
  CHECK(found.regions[0].root == "decoder0.0");
  REQUIRE(found.decoders.size() == 2);
  CHECK(found.decoders[0].type == "root");
  CHECK(found.decoders[0].start == 0x1080000000);
  CHECK(found.decoders[0].region.empty());
  CHECK(found.decoders[0].memdev.empty());
  CHECK(found.decoders[1].type == "endpoint");
  CHECK(found.decoders[1].memdev == "mem0");
  CHECK(found.decoders[1].region == "region0");
}

}  // namespace
}  // namespace hdbench::pmem
