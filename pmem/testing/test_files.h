// Shared by this folder's tests, beside engine/testing/test_files.h: directories on a disk.
#pragma once

#include <filesystem>

#include "engine/testing/files.h"
#include "pmem/machine/mount.h"

namespace hdbench::testing {
using namespace pmem;

// Where files lie on a disk, so that they can be evicted: the temporary directory, else where the
// tests were built.
inline std::filesystem::path directory_on_disk() {
  const auto temporary = std::filesystem::temp_directory_path();
  const auto mount = mount_of(read_mounts({}), temporary);
  return mount && mount->kind == MountKind::kDisk ? temporary : std::filesystem::current_path();
}

inline bool on_disk(const std::filesystem::path& path) {
  const auto mount = mount_of(read_mounts({}), path);
  return mount && mount->kind == MountKind::kDisk;
}

}  // namespace hdbench::testing
