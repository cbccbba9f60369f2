// Mounts and unmounts a FilesystemImage in a process that keeps CAP_SYS_ADMIN for this, while the
// program that measures in the mounts gives it up (privileged_helper.h).
//
// It does three things, on the image that it was started with: makes and mounts the n-th of the
// filesystems that it was started with, unmounts, and ends.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "bench/privileges/privileged_helper.h"
#include "bench/storage/filesystems/filesystem_image.h"
#include "engine/base/result.h"

namespace hdbench::bench {

class ImageHelper {
 public:
  // Takes the image: this process's own copy is only to be destroyed, after the helper. Requires:
  // this process is in the mount namespace that the filesystems are to be in.
  static Result<std::unique_ptr<ImageHelper>> start(FilesystemImage& image,
                                                    const std::vector<FilesystemKind>& kinds);

  // As FilesystemImage's. kind: an index.
  Result<std::filesystem::path> mount(std::size_t kind);
  Status unmount();

 private:
  explicit ImageHelper(std::unique_ptr<PrivilegedHelper> helper) : helper_(std::move(helper)) {}

  std::unique_ptr<PrivilegedHelper> helper_;
};

}  // namespace hdbench::bench
