// A disk in memory, faster than any cap to be shown: zram, whose pages of zeros take no space, or a
// loop device over tmpfs.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "bench/storage/volumes/guard.h"
#include "bench/storage/volumes/loop_device.h"
#include "engine/base/result.h"

namespace hdbench {

struct MemoryDisk {
  std::string path;                     // "/dev/zram1"
  std::string number;                   // "253:1"
  std::string name;                     // "zram1"
  std::optional<LoopDevice> loop = {};  // keeps it, where it is one
};

// The guard removes it. Errors: kData, why there is neither; kUsage "interrupted".
Result<MemoryDisk> make_memory_disk(std::uint64_t bytes, Guard& guard,
                                    const std::atomic<bool>& stop);

}  // namespace hdbench
