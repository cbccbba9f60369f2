// Creates, mounts and discards filesystems one after another on the same blocks, of a file or a
// device. A filesystem that reserves space by its device's size sees a longer file, whose tail is a
// hole.
//
// Each is fresh and on the same place of the disk. Blocks are not discarded when it is made or
// mounted, as some filesystems would return blocks and allocate them again. Mounted with noatime,
// otherwise with the defaults of mkfs and kernel. Mounts are in a mount namespace of this process:
// invisible to others, and removed by the kernel with its last process.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/base/guard.h"
#include "bench/base/layers.h"
#include "bench/privileges/privileged_helper.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

struct FilesystemKind {
  const char* name;                    // as mount(2) and /proc/filesystems have it
  const char* tool;                    // what makes it
  const char* package;                 // Debian's, that has the tool
  std::vector<std::string> arguments;  // before the device
  std::uint64_t bytes_min;             // the least that the tool takes
  // Bytes of device that it wants for each byte that is made dirty at random in a mapping: with
  // fewer it writes page by page. 0: it is content with what the files take.
  std::uint64_t seeming_times = 0;
};

const std::vector<FilesystemKind>& filesystem_kinds();

// "xfs,ext4,btrfs". Errors: kUsage: unknown, named twice, or none.
Result<std::vector<FilesystemKind>> parse_filesystems(std::string_view list);

// Why it cannot be made and mounted here; nothing: it can, as far as one can tell beforehand.
std::optional<std::string> why_not(const FilesystemKind& kind, const MachinePaths& paths = {});

// From here on mounts of this process are its own. Before the guard starts. Errors: kData: not
// root, or not permitted.
Status own_mount_namespace();

// Bytes that are there, and a tail of none (a hole) that makes the device seem larger.
struct ImageSize {
  std::uint64_t bytes = 0;
  std::uint64_t seeming_bytes = 0;  // no less
};

// A block device that lasts as long as this: a loop device over an unnamed file (O_TMPFILE). The
// kernel detaches it when its last user is gone, so nothing remains however this process ends. Uses
// direct I/O on the file if the kernel allows it; otherwise bytes would be cached twice.
struct TemporaryDisk {
  std::string path;  // "/dev/loop0"
  ImageSize size;
  bool direct_io = false;
  FileHandle held = {};  // open only for a loop device: keeps it

  // Shows so many bytes of a loop device from here on; does nothing to another one. Requires: not
  // mounted, no more than its ImageSize has. Errors: kData, the kernel's.
  Status seem(std::uint64_t bytes);
};

// Writes all `bytes` of the file first, so that no test includes its first allocation; then extends
// it to `seeming_bytes` if a file can be that long. Errors: kData: no space, not writable, not
// permitted, no loop devices; kUsage "interrupted" once stop is set.
Result<TemporaryDisk> make_loop_disk(const std::filesystem::path& directory, const ImageSize& size,
                                     const std::atomic<bool>& stop);

class FilesystemImage {
 public:
  // Mounted below `directory`. On a device that may be overwritten (spare_device.h); without one in
  // a nameless file of this size below `directory`. Errors: as make_loop_disk().
  static Result<std::unique_ptr<FilesystemImage>> make(const std::filesystem::path& directory,
                                                       const std::string& device,
                                                       const ImageSize& size, Guard& guard,
                                                       const std::atomic<bool>& stop);
  FilesystemImage(const FilesystemImage&) = delete;
  FilesystemImage& operator=(const FilesystemImage&) = delete;
  // What is still mounted the guard unmounts.
  ~FilesystemImage() = default;

  // Makes it and gives the directory that it is mounted on. Requires: none is mounted. Errors:
  // kData: mkfs's last words, or the kernel has no such filesystem.
  Result<std::filesystem::path> mount(const FilesystemKind& kind);
  // Nothing where none is mounted. Errors: kData: busy (then it is detached, and goes with its last
  // user), or the kernel's; it counts as mounted until an unmounting has succeeded.
  Status unmount();

  // The real length and the length that it shows; the same for a device.
  const ImageSize& size() const { return disk_.size; }
  // "/dev/loop0, 1.0 GiB in a file below /data, direct I/O".
  const std::string& describe() const { return description_; }

 private:
  FilesystemImage(std::filesystem::path place, TemporaryDisk disk, std::string description)
      : place_(std::move(place)), disk_(std::move(disk)), description_(std::move(description)) {}

  std::filesystem::path place_;  // where they are mounted
  TemporaryDisk disk_;
  std::string description_;
  bool mounted_ = false;
};

// Mounts and unmounts a FilesystemImage in a process that keeps CAP_SYS_ADMIN for this, while the
// program that measures in the mounts gives it up (privileged_helper.h).
//
// It does three things, on the image that it was started with: makes and mounts one of
// filesystem_kinds(), unmounts, and ends.
class ImageHelper {
 public:
  // Takes the image: this process's own copy is only to be destroyed, after the helper. Requires:
  // this process is in the mount namespace that the filesystems are to be in.
  static Result<std::unique_ptr<ImageHelper>> start(FilesystemImage& image);

  // As FilesystemImage's. kind: a name of filesystem_kinds().
  Result<std::filesystem::path> mount(const char* kind);
  Status unmount();

 private:
  explicit ImageHelper(std::unique_ptr<PrivilegedHelper> helper) : helper_(std::move(helper)) {}

  std::unique_ptr<PrivilegedHelper> helper_;
};

}  // namespace hdbench::bench
