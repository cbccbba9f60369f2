// Who uses a block device, as sysfs and procfs tell: what must not lose what it has there.
//
// Reads only. Looks at the device, its partitions or the disk that it is a partition of, and below
// a loop device at its file or at the device that is its file. Where the kernel shows less
// (containers), less is found: an exclusive open comes on top (spare_device.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

// The first use found, as "loop0p1 is mounted on /data", "sdb is held by dm-0", "sdb is swap",
// "loop2 has the same file, /data/image", "sdb is the file of loop1"; nothing: none. Mounts of
// every mount namespace that a process of /proc is in count. number: "7:0".
std::optional<std::string> device_use(const std::string& number, const MachinePaths& paths = {});

// What a loop device lies on: files, and devices ("/dev/sdb"), from the top down; empty: it is no
// loop device, nor a partition of one.
std::vector<std::filesystem::path> loop_files(const std::string& number,
                                              const MachinePaths& paths = {});

}  // namespace hdbench::bench
