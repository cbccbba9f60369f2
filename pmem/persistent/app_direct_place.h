// Selects where app-direct and tmpfs put their bytes, and reports what that place is: files mapped
// through libpmem in persistent memory, or in this machine's memory.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "pmem/machine/topology.h"
#include "pmem/persistent/device_dax.h"

namespace hdbench::pmem {

struct AppDirectPlace {
  std::filesystem::path directory;    // or the device
  std::shared_ptr<DeviceDax> device;  // null: files in the directory
  bool persistent = false;
  bool in_memory = false;  // a tmpfs: its space is the machine's memory
  std::string label;       // "real (ext4 with DAX on /dev/pmem0)", "real (tmpfs on /dev/shm: this
                           // machine's memory)"
  std::string reason;      // for `topo`: why this place
};

// Whether libpmem calls a mapping in the directory persistent memory. Errors: nothing can be mapped
// there.
using PmemProbe = std::function<Result<bool>(const std::filesystem::path& directory)>;
Result<bool> probe_pmem(const std::filesystem::path& directory);

// Whether --pmem-dir names device DAX (/dev/daxX.Y), not a directory.
bool names_dax_device(const std::filesystem::path& path);
AppDirectPlace place_on_device(std::shared_ptr<DeviceDax> device);

// The first DAX mount that passes the probe. Errors: kData: why there is none, and what would
// provide it.
Result<AppDirectPlace> find_persistent_mount(const Machine& machine, const PmemProbe& probe);

// The place of app-direct: the directory or device requested, else find_persistent_mount()'s.
// Errors: kData, when libpmem is not built in, or when there is no persistent memory, or none where
// it is requested. A device is used only when it is requested: what was on it is lost.
Result<AppDirectPlace> find_app_direct_place(const Machine& machine,
                                             const std::filesystem::path& pmem_dir,
                                             const PmemProbe& probe);

// The place of tmpfs: the directory requested, else /dev/shm. Errors: kData, when libpmem is not
// built in, or when the directory cannot be written or lies on no tmpfs.
Result<AppDirectPlace> find_tmpfs_place(const Machine& machine,
                                        const std::filesystem::path& directory);

}  // namespace hdbench::pmem
