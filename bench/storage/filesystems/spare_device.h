// Decides whether a block device may be overwritten: never one that is in use, and one with content
// only after explicit confirmation.
//
// Who uses a device is what sysfs and procfs tell of it, of its partitions or the disk that it is a
// partition of, and below a loop device of its file or the device that is its file. Where the
// kernel shows less (containers), less is found: an exclusive open comes on top.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"
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

// Prints the question on standard error, and reads a line from `descriptor`, up to its end or to
// the end of the input. True for "y" or "yes". Errors: kUsage "interrupted".
Result<bool> is_agreed(const std::string& question, int descriptor);

// Gives the device's own path, links resolved. In use is what device_use() finds a user of, what
// the kernel refuses to open exclusively, and a loop device whose file is either or lies in a
// database. Asks on the terminal before it allows an empty device; yes: the user has said so
// already. Errors: kUsage: no block device, in use, holds something and yes is not set, or
// "interrupted"; kData: it cannot be opened.
Result<std::string> allow_device(const std::string& path, bool yes,
                                 const MachinePaths& machine = {});

}  // namespace hdbench::bench
