#include "engine/base/catch.h"
#include "pmem/machine/nvdimm.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

TEST_CASE("without the bus there are no regions") {
  const FakeMachine fake;
  CHECK(read_pmem_regions(fake.paths().sysfs).empty());
}

TEST_CASE("a region that tells nothing has no node and an unknown persistence domain") {
  FakeMachine fake;
  fake.sys("bus/nd/devices/region7/size", "4096");
  fake.sys("bus/nd/devices/namespace70.0/size", "4096");
  const auto regions = read_pmem_regions(fake.paths().sysfs);
  REQUIRE(regions.size() == 1);
  CHECK(regions[0].bytes == 4096);
  CHECK(regions[0].numa_node == -1);
  CHECK(regions[0].target_node == -1);
  CHECK(regions[0].persistence_domain == "unknown");
  CHECK(regions[0].namespaces.empty());
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
