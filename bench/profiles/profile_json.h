// A measured device as a profile for the emulator (device_profile.h), and as a table.
#pragma once

#include <string>

#include "bench/machine/disk_probe.h"

namespace hdbench::bench {

// `source` says who measured what, where and when it was built: it stands beside each figure.
// Requires: sequential_read has a point.
std::string profile_json(const ProbedDevice& device, const std::string& name,
                         const std::string& source);

std::string profile_table(const ProbedDevice& device);

}  // namespace hdbench::bench
