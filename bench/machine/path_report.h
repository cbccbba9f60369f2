// What lies below a path: its filesystem with the mount's options, and the block device with its
// queue.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pmem/machine/block_device.h"
#include "pmem/machine/topology.h"

namespace hdbench {

struct PathReport {
  std::filesystem::path path;
  std::string why;  // "current directory"; empty: named on the command line
  std::optional<Mount> mount;
  std::optional<BlockDevice> device;
};

// Of each of these, or of the current and the temporary directory where there are none. A path that
// does not exist stands for its nearest parent.
std::vector<PathReport> report_paths(const std::vector<std::filesystem::path>& paths,
                                     const Machine& machine, const std::filesystem::path& sysfs);

}  // namespace hdbench
