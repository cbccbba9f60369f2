// The kernel's throttle of one disk for one control group: blkio (version 1) or io.max (version 2).
//
// Caps apply to reads and writes separately. Data in the page cache is throttled when the process
// writes it back itself (fsync, O_DIRECT); version 1 does not throttle the kernel's own write-back.
// The kernel accounts in slices of about 100 ms.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/base/guard.h"
#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

enum class CgroupVersion { kOne, kTwo };

// 0: no cap.
struct DeviceCaps {
  double bytes_per_s = 0;
  double ios_per_s = 0;
  friend bool operator==(const DeviceCaps&, const DeviceCaps&) = default;
};

// Use by reads and writes together, since the group was created.
struct DeviceUse {
  std::uint64_t bytes = 0;
  std::uint64_t ios = 0;
};

// "254:0" of the whole disk below a path's filesystem, and its kernel name. Errors: kData, where
// the path is on no block device of this machine.
struct WholeDisk {
  std::string number;
  std::string name;
};
Result<WholeDisk> whole_disk(const std::filesystem::path& path, const MachinePaths& paths = {});

class Throttle {
 public:
  // Makes the group; nobody is in it yet. device: "254:0". Errors: kData, naming what is absent or
  // refused.
  static Result<std::unique_ptr<Throttle>> make(const std::string& device, Guard& guard,
                                                const MachinePaths& paths = {});
  Throttle(const Throttle&) = delete;
  Throttle& operator=(const Throttle&) = delete;
  // Leaves; the guard removes the group.
  ~Throttle();

  Status set(const DeviceCaps& caps);
  DeviceUse use() const;
  // This process, and what it starts from now on.
  Status enter();

  CgroupVersion version() const { return version_; }
  const std::filesystem::path& group() const { return group_; }

 private:
  Throttle() = default;

  CgroupVersion version_ = CgroupVersion::kOne;
  std::filesystem::path group_;
  std::filesystem::path home_;  // the group that this process came from
  std::string device_;
  bool inside_ = false;
};

}  // namespace hdbench::bench
