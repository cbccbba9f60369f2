// The host's own speed, measured elsewhere (the benchmark's ceilings), compared with a device.
//
// A device can only be emulated if it is slower than the host; otherwise the emulation shows the
// host, and the result is marked ("host limit").
#pragma once

#include <string>
#include <vector>

#include "pmem/emulator/device_profile.h"

namespace hdbench::pmem {

// Absent figures: an empty curve, or 0.
struct HostCalibration {
  BandwidthCurve read;
  BandwidthCurve write;
  BandwidthCurve copy;
  double chase_ns = 0;       // a random load that waits for the one before
  double sequential_ns = 0;  // a load of the next line; 0: chase_ns
};

// Nanoseconds that the host itself takes for such an access; 0 where it was not measured.
double host_access_ns(const HostCalibration& host, AccessKind kind, AccessPattern pattern);

// One line for each figure in which the device is faster than the host at this many threads: "read
// latency 101.5 ns, but this host takes 170 ns". Empty: the device can be emulated here.
std::vector<std::string> host_limits(const DeviceProfile& device, const HostCalibration& host,
                                     double threads);

// The device as far from this host as it is from `reference`, the memory of the machine that it was
// measured on: every figure is the host's own x device / reference. Figures that the host or the
// reference lacks stay as they are. For hosts whose latency is above the device's. Of a near cache
// both tiers.
//
// A profile's one figure for any number of threads is a whole socket's. One thread of it draws what
// it keeps in flight, mlp x the larger of 64 bytes and the device's granularity / latency, and more
// threads as many times as much, up to that figure; writes draw what one thread writes in order.
// (Compared with published one-thread rates: docs/measurements/2026-11-22-emulator-accuracy.md.)
// Where a profile has no mlp or no latency, figure is held against figure.
//
// Bandwidth follows the host's curve by threads; latency is each thread's own, so that what waits
// for it may gain more from a second thread than DRAM does.
DeviceProfile scaled_to_host(const DeviceProfile& device, const DeviceProfile& reference,
                             const HostCalibration& host);

}  // namespace hdbench::pmem
