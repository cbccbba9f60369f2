// The medium nvme: the database on its disk, mapped through the page cache. Cold and warm are
// distinguished and proved.
//
// The label names what the files really lie on; a tmpfs, an overlay or a network is not called a
// disk.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pmem/machine/mount.h"
#include "pmem/media/medium.h"

namespace hdbench::pmem {

// Errors: kData, when a scratch directory is named that is none.
Result<std::unique_ptr<Medium>> make_nvme_medium(const MediumOptions& options);

// The label of files on these mounts: the least disk-like mount decides.
struct DiskLabel {
  MountKind kind = MountKind::kOther;
  std::string text;  // "real (ext4 on /dev/vda)"
};
DiskLabel label_disks(const std::vector<Mount>& mounts);

// options.scratch_dir, else the system's temporary directory.
std::filesystem::path scratch_dir_of(const MediumOptions& options);

}  // namespace hdbench::pmem
