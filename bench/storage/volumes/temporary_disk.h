// Block devices that last as long as their use: a loop device over an unnamed file, for temporary
// filesystems, and a disk in memory.
//
// The file never has a name (O_TMPFILE), and the kernel detaches the loop device when its last user
// is gone, so nothing remains however this process ends. Uses direct I/O on the file if the kernel
// allows it; otherwise bytes would be cached twice.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

#include "bench/base/guard.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Bytes that are there, and a tail of none (a hole) that makes the device seem larger.
struct ImageSize {
  std::uint64_t bytes = 0;
  std::uint64_t seeming_bytes = 0;  // no less
};

struct TemporaryDisk {
  std::string path;    // "/dev/loop0"
  std::string number;  // "7:0"
  ImageSize size;
  bool direct_io = false;
  FileHandle held = {};  // open only for a loop device: keeps it

  // Shows so many bytes of a loop device from here on; does nothing to another one. Requires: not
  // mounted, no more than its ImageSize has. Errors: kData, the kernel's.
  Status seem(std::uint64_t bytes);
};

// Writes all `bytes` of the file first, so that no test includes its first allocation; then extends
// it to `seeming_bytes` if a file can be that long. Errors: kData: no room, not writable, not
// permitted, no loop devices; kUsage "interrupted" once stop is set.
Result<TemporaryDisk> make_loop_disk(const std::filesystem::path& directory, const ImageSize& size,
                                     const std::atomic<bool>& stop);

// Faster than any cap to be shown: zram, whose pages of zeros take no space and which the guard
// removes, or a loop device over tmpfs. Errors: kData, why there is neither; kUsage "interrupted".
Result<TemporaryDisk> make_memory_disk(std::uint64_t bytes, Guard& guard,
                                       const std::atomic<bool>& stop);

}  // namespace hdbench::bench
