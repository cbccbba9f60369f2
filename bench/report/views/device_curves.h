// The curves of device profiles, for the report: latency by load, bandwidth by threads and by the
// share of reads. A profile with a near cache has two devices, near and far.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/report/views/view_table.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {

struct DeviceCurve {
  std::size_t device = 0;                         // its place among DeviceCurves::devices
  std::string what;                               // "reads", "reads at random"
  std::vector<std::pair<double, double>> points;  // one: the same at any x
  std::string source;
};

struct DeviceCurves {
  std::vector<std::string> devices;  // names, each once
  std::vector<std::string> abouts;   // a line each
  std::vector<DeviceCurve> latency;  // ns by GB/s; one point at 0: its latency at rest alone
  std::vector<DeviceCurve> threads;  // GB/s by threads
  std::vector<DeviceCurve> mix;      // GB/s by per cent of reads
};

DeviceCurves device_curves(const std::vector<DeviceProfile>& profiles);

// A line a curve, with its source. units: "GB/s at threads".
ViewTable curve_table(const DeviceCurves& curves, const std::vector<DeviceCurve>& of,
                      const std::string& caption, const std::string& units);

// The profiles that the media's words name, each once, and a line for each that cannot be loaded.
// Words without a profile are left out.
std::vector<DeviceProfile> profiles_of_media(const std::vector<std::string>& media,
                                             std::vector<std::string>& missing);

}  // namespace hdbench::bench
