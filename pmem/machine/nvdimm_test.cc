#include "pmem/machine/nvdimm.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("looking for persistent memory tells who looked, and lists no empty namespaces") {
  const PmemHardware hardware = read_pmem_hardware();
  CHECK((hardware.source == "libndctl" || hardware.source == "sysfs (libndctl not built in)"));
  for (const PmemRegion& region : hardware.regions) {
    CHECK_FALSE(region.name.empty());
    for (const PmemNamespace& one : region.namespaces) CHECK(one.bytes > 0);
  }
}

}  // namespace
}  // namespace hdbench::pmem
