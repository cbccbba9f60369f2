// The filesystem and device below a path, from mountinfo.
//
// Nothing here fails: where the kernel shows less (containers), lists are shorter and names are
// "unknown".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"

namespace hdbench::pmem {

enum class MountKind {
  kDisk,    // a filesystem on a block device of this machine
  kMemory,  // tmpfs and its like
  kOther,   // overlay, network, FUSE: what is below is not known
};

struct Mount {
  std::filesystem::path directory;
  std::string filesystem;  // "ext4"
  std::string device;  // "/dev/vda"; what mountinfo calls the source where there is no block device
  MountKind kind = MountKind::kOther;
  bool dax = false;               // mounted with a dax option
  bool pmem = false;              // the block device is a persistent-memory namespace
  std::string options = {};       // the mount's, then the filesystem's: "rw,relatime,dax=always"
  std::string block_device = {};  // the kernel's name, "dm-0"; empty: none is known
};

// Of this process's mount namespace.
std::vector<Mount> read_mounts(const MachinePaths& paths);

// Those of every mount namespace that a process of /proc is in and that may be read; this process's
// own first.
std::vector<Mount> read_all_mounts(const MachinePaths& paths);

// The mount that `path` (or the nearest parent that exists) lies on.
std::optional<Mount> mount_of(const std::vector<Mount>& mounts, const std::filesystem::path& path);

// A name as the kernel writes it into tables (mountinfo, swaps): space, tab, newline and backslash
// are three octal digits behind a backslash.
std::string unescaped_name(const std::string& text);

// "ext4 on /dev/vda", "tmpfs", "overlay".
std::string describe(const Mount& mount);

}  // namespace hdbench::pmem
