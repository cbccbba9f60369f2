#include "pmem/machine/nvdimm.h"

namespace hdbench::pmem {

PmemHardware read_pmem_hardware(const MachinePaths& paths) {
  return {"sysfs (libndctl not built in)", read_pmem_regions(paths.sysfs),
          read_dax_devices(paths.sysfs)};
}

}  // namespace hdbench::pmem
