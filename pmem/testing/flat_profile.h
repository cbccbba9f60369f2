// A device with one bandwidth and one latency, for tests whose answers are known exactly.
#pragma once

#include <cstdint>

#include "pmem/emulator/device_profile.h"

namespace hdbench::pmem {

// GB/s (10^9 bytes) of reads and writes for any number of threads; ns of a random read.
inline DeviceProfile flat(double gb_s, double ns, std::uint32_t granularity = 64) {
  DeviceProfile profile;
  profile.name = "flat";
  profile.granularity_bytes = granularity;
  profile.mlp = 8.5;
  profile.curves[0][0].points = {{1, gb_s}};
  profile.latency.read_random_ns = ns;
  return profile;
}

}  // namespace hdbench::pmem
