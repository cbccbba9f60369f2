// A class of cloud volume and its instance, as caps. The caps come from the emulator's profiles
// (pmem/profiles), so that throttle and emulator use the same figures.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/layers.h"
#include "bench/storage/volumes/throttle.h"
#include "engine/base/result.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {

struct VolumeClass {
  std::string name;       // "gp2", "io2,r4.4xlarge"
  DeviceProfile profile;  // of the volume, with the instance's cap in it
};

// "gp2", "gp3", "io1", "io2", "st1"; an instance ("r4.4xlarge") behind a comma, or alone, which is
// its own cap; anything else is a profile by name or path. Errors: kUsage.
Result<VolumeClass> volume_class(std::string_view words);

// The classes with a short name: the volumes, then the instances.
std::vector<std::string> volume_class_names();

// The caps with credits, and without. The same if there is no bucket.
DeviceCaps burst_caps(const VolumeClass& volume);
DeviceCaps base_caps(const VolumeClass& volume);

// The caps while the bucket gives so much a second.
DeviceCaps caps_at(const VolumeClass& volume, double credit_rate);

// "131.1 MB/s, 3000 IOPS".
std::string describe(const DeviceCaps& caps);

}  // namespace hdbench::bench
