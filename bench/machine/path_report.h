// Describes what lies below a path: filesystem with mount options, block device with its queue.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/topology.h"

namespace hdbench::bench {

struct PathReport {
  std::filesystem::path path;
  std::string why;  // "current directory"; empty: named on the command line
  std::optional<Mount> mount;
  std::optional<BlockDevice> device;
};

// Describes each of these paths, or the current and the temporary directory if there are none. A
// missing path is replaced by its nearest existing parent.
std::vector<PathReport> report_paths(const std::vector<std::filesystem::path>& paths,
                                     const Machine& machine, const std::filesystem::path& sysfs);

}  // namespace hdbench::bench
