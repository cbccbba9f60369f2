// Measures how fast a block device delivers bytes to several threads at once, past the page cache.
// Read-only.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "engine/base/result.h"

namespace hdbench {

struct DeviceLoad {
  std::size_t threads = 8;
  std::size_t block_bytes = std::size_t{1} << 20;
  bool random = false;  // else each thread goes through its own part, again and again
  double warm_s = 0.5;  // not counted: a throttle's first slice is free
  double seconds = 2;
};

struct DeviceRate {
  double bytes_per_s = 0;
  double ios_per_s = 0;
};

// Errors: kData: not readable, or smaller than a block a thread; kUsage "interrupted" once stop is
// set.
Result<DeviceRate> read_rate(const std::string& device, const DeviceLoad& load,
                             const std::atomic<bool>& stop);

}  // namespace hdbench
