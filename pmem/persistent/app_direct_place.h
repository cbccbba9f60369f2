// Selects where app-direct puts its bytes, and reports what that place is: persistent memory, or an
// emulation of it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "pmem/machine/topology.h"
#include "pmem/persistent/device_dax.h"

namespace hdbench {

struct AppDirectPlace {
  std::filesystem::path directory;    // or the device
  std::shared_ptr<DeviceDax> device;  // null: files in the directory
  bool real = false;
  bool in_memory = false;  // a tmpfs: its room is the machine's memory
  std::string label;  // "real (ext4 with DAX on /dev/pmem0)", "emulated (tmpfs: this host's memory,
                      // nothing charged)"
  std::string reason;  // for `topo`: why this place
};

// Whether libpmem calls a mapping in the directory persistent memory. Errors: nothing can be mapped
// there.
using PmemProbe = std::function<Result<bool>(const std::filesystem::path& directory)>;
Result<bool> probe_pmem(const std::filesystem::path& directory);

// Whether --pmem-dir names device DAX (/dev/daxX.Y), not a directory.
bool names_dax_device(const std::filesystem::path& path);
AppDirectPlace place_on_device(std::shared_ptr<DeviceDax> device);

// The directory or device asked for, else the first DAX mount that passes the probe, else tmpfs.
// Errors: kData, when libpmem is not built in, or when what is asked for cannot be used: a
// directory that is neither persistent memory nor a tmpfs. A device is used only when it is asked
// for: what was on it is lost.
Result<AppDirectPlace> find_app_direct_place(const Machine& machine,
                                             const std::filesystem::path& pmem_dir,
                                             const PmemProbe& probe);

}  // namespace hdbench
