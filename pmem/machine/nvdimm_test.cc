#include "pmem/machine/nvdimm.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

TEST_CASE("without the bus there are no devices, and a seed of size 0 is none") {
  FakeMachine fake;
  CHECK(read_dax_devices(fake.paths().sysfs).empty());
  fake.sys("bus/dax/devices/dax0.0/size", "0");
  CHECK(read_dax_devices(fake.paths().sysfs).empty());
}

TEST_CASE("a device's place in the tree tells what it is made of, its driver what it is used as") {
  FakeMachine fake;
  fake.dax("dax0.0", "devices/ACPI0012:00/ndbus0/region0/dax0.0/dax0.0", 2, true);
  fake.dax("dax1.0", "devices/root0/decoder0.0/region1/dax_region1/dax1.0", 3, false);
  fake.dax("dax2.0", "devices/platform/hmem.0/dax2.0", 4, true);
  fake.dax("dax3.0", "devices/root0/nvdimm-bridge0/ndbus1/region3/dax3.0/dax3.0", 5, false);
  fake.dax("dax4.0", "devices/other/dax4.0", 6, false);
  const auto found = read_dax_devices(fake.paths().sysfs);
  REQUIRE(found.size() == 5);
  CHECK(found[0].origin == MemoryOrigin::kPmem);
  CHECK(found[0].system_ram);
  CHECK(found[0].bytes == std::uint64_t{1} << 30);
  CHECK(found[0].target_node == 2);
  CHECK(found[0].align_bytes == std::uint64_t{2} << 20);
  CHECK(found[1].origin == MemoryOrigin::kCxl);
  CHECK_FALSE(found[1].system_ram);
  CHECK(found[2].origin == MemoryOrigin::kReserved);
  CHECK(found[3].origin == MemoryOrigin::kCxl);
  CHECK(found[4].origin == MemoryOrigin::kUnknown);
}

TEST_CASE("the kernel's words for modes become ndctl's, and block devices are found") {
  FakeMachine fake;
  const auto add = [&](const std::string& name, const std::string& mode) {
    fake.sys("bus/nd/devices/" + name + "/size", "1048576");
    fake.sys("bus/nd/devices/" + name + "/mode", mode);
  };
  fake.sys("bus/nd/devices/region0/size", "8388608");
  add("namespace0.0", "memory");
  add("namespace0.1", "safe");
  add("namespace0.2", "raw");
  add("namespace0.3", "dax");
  add("namespace0.4", "");
  fake.sys("bus/nd/devices/namespace0.1/holder", "btt0.1");
  fake.sys("bus/nd/devices/btt0.1/block/pmem0.1s/size", "1");
  fake.sys("bus/nd/devices/namespace0.2/block/pmem0.2/size", "1");
  const auto regions = read_pmem_regions(fake.paths().sysfs);
  REQUIRE(regions.size() == 1);
  const auto& found = regions[0].namespaces;
  REQUIRE(found.size() == 5);
  const std::vector<std::string> modes = {"fsdax", "sector", "raw", "devdax", "unknown"};
  for (std::size_t i = 0; i < modes.size(); ++i) CHECK(word(found[i].mode) == modes[i]);
  CHECK(found[0].block_device.empty());
  CHECK(found[1].block_device == "pmem0.1s");
  CHECK(found[2].block_device == "pmem0.2");
}

}  // namespace
}  // namespace hdbench::pmem
