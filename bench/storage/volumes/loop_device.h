// A block device backed by an unnamed file, for temporary filesystems.
//
// The file never has a name (O_TMPFILE), and the kernel detaches the device when its last user is
// gone, so nothing remains; the guard knows of it as well. Uses direct I/O on the file if the
// kernel allows it; otherwise bytes would be cached twice.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

#include "bench/storage/volumes/guard.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench {

// Bytes that are there, and a tail of none (a hole) that makes the device seem larger.
struct ImageSize {
  std::uint64_t bytes = 0;
  std::uint64_t seeming_bytes = 0;  // no less
};

class LoopDevice {
 public:
  // Writes all `bytes` of the file first, so that no test includes its first allocation; then
  // extends it to `seeming_bytes` if a file can be that long. Errors: kData: no room, not writable,
  // not permitted, no loop devices; kUsage "interrupted" once stop is set.
  static Result<LoopDevice> make(const std::filesystem::path& directory, const ImageSize& size,
                                 Guard& guard, const std::atomic<bool>& stop);

  // Shows so many bytes of it from here on. Requires: not mounted, no more than its ImageSize has.
  // Errors: kData, the kernel's.
  Status seem(std::uint64_t bytes);

  const std::string& path() const { return path_; }      // "/dev/loop0"
  const std::string& number() const { return number_; }  // "7:0"
  bool direct_io() const { return direct_io_; }
  const ImageSize& size() const { return size_; }

 private:
  LoopDevice() = default;

  FileHandle device_;
  std::string path_;
  std::string number_;
  ImageSize size_;
  bool direct_io_ = false;
};

}  // namespace hdbench
