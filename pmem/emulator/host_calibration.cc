#include "pmem/emulator/host_calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace hdbench::pmem {
namespace {

void note_bandwidth(const char* what, double device_gb_s, const BandwidthCurve& host,
                    double threads, std::vector<std::string>& limits) {
  if (!host.known() || device_gb_s <= host.at(threads)) return;
  limits.push_back(fmt::format("{} {:.4g} GB/s at {:.4g} threads, but this host has {:.4g} GB/s",
                               what, device_gb_s, threads, host.at(threads)));
}

void note_latency(const char* what, double device_ns, double host_ns,
                  std::vector<std::string>& limits) {
  if (device_ns == 0 || host_ns == 0 || device_ns >= host_ns) return;
  limits.push_back(
      fmt::format("{} {:.4g} ns, but this host takes {:.4g} ns", what, device_ns, host_ns));
}

// The host's curve, point by point, times device / reference there.
BandwidthCurve scaled_curve(const BandwidthCurve& device, const BandwidthCurve& reference,
                            const BandwidthCurve& host) {
  if (!device.known() || !reference.known() || !host.known()) return device;
  BandwidthCurve scaled;
  for (const BandwidthPoint& point : host.points) {
    const double ratio = device.at(point.threads) / reference.at(point.threads);
    scaled.points.push_back({point.threads, point.gb_s * ratio});
  }
  if (device.one_thread_gb_s > 0) {
    scaled.one_thread_gb_s = host.at(1) * device.one_thread_gb_s / reference.at(1);
  }
  return scaled;
}

bool is_one_figure(const BandwidthCurve& curve) {
  return curve.points.size() == 1 && curve.one_thread_gb_s == 0;
}

// What one thread draws of a curve that is one figure; 0 where that cannot be told. See
// scaled_to_host().
double one_thread_gb_s(const DeviceProfile& profile, AccessKind kind, AccessPattern pattern) {
  constexpr std::uint32_t kLine = 64;
  const bool own_writes =
      kind == AccessKind::kWrite && profile.curves[static_cast<int>(kind)][0].known();
  if (own_writes) {
    const BandwidthCurve& writes = profile.curve(kind, AccessPattern::kSequential);
    return is_one_figure(writes) ? 0 : writes.at(1);
  }
  const double read_ns = profile.access_ns(AccessKind::kRead, pattern);
  if (profile.mlp <= 1 || read_ns == 0) return 0;
  return profile.mlp * std::max(kLine, profile.granularity_bytes) / read_ns;
}

BandwidthCurve curve_by_threads(const DeviceProfile& profile, AccessKind kind,
                                AccessPattern pattern) {
  const BandwidthCurve& curve = profile.curve(kind, pattern);
  if (!is_one_figure(curve)) return curve;
  const double all_gb_s = curve.points.front().gb_s;
  const double one_gb_s = one_thread_gb_s(profile, kind, pattern);
  if (one_gb_s == 0) return curve;
  // As many points where one thread draws all of it: this curve is known by threads.
  const double threads = std::max(1.0, all_gb_s / one_gb_s);
  return {{{1, std::min(one_gb_s, all_gb_s)}, {threads, all_gb_s}}, 0};
}

// The host's curve, point by point, times device / reference there. Where either is one figure that
// says nothing of one thread, whole device by whole reference.
BandwidthCurve scaled_by_threads(const DeviceProfile& device, const DeviceProfile& reference,
                                 AccessKind kind, AccessPattern pattern,
                                 const BandwidthCurve& host) {
  const BandwidthCurve& whole = device.curve(kind, pattern);
  const BandwidthCurve& whole_reference = reference.curve(kind, pattern);
  if (!whole.known() || !whole_reference.known()) return whole;
  const BandwidthCurve by_threads = curve_by_threads(device, kind, pattern);
  const BandwidthCurve reference_by_threads = curve_by_threads(reference, kind, pattern);
  if (is_one_figure(by_threads) || is_one_figure(reference_by_threads)) {
    return scaled_curve(whole, whole_reference, host);
  }
  return scaled_curve(by_threads, reference_by_threads, host);
}

double scaled_ns(double device_ns, double reference_ns, double host_ns) {
  if (device_ns == 0 || reference_ns == 0 || host_ns == 0) return device_ns;
  return host_ns * device_ns / reference_ns;
}

}  // namespace

double host_access_ns(const HostCalibration& host, AccessKind kind, AccessPattern pattern) {
  if (kind == AccessKind::kWrite) return 0;
  const bool sequential = pattern == AccessPattern::kSequential && host.sequential_ns > 0;
  return sequential ? host.sequential_ns : host.chase_ns;
}

std::vector<std::string> host_limits(const DeviceProfile& device, const HostCalibration& host,
                                     double threads) {
  std::vector<std::string> limits;
  if (device.near_cache) {
    for (const DeviceProfile* tier : {&device.near_cache->near, &device.near_cache->far}) {
      for (const std::string& line : host_limits(*tier, host, threads)) {
        limits.push_back(fmt::format("{}: {}", tier->name, line));
      }
    }
    return limits;
  }
  constexpr auto kSequential = AccessPattern::kSequential;
  note_bandwidth("read", device.curve(AccessKind::kRead, kSequential).at(threads), host.read,
                 threads, limits);
  note_bandwidth("write", device.curve(AccessKind::kWrite, kSequential).at(threads), host.write,
                 threads, limits);
  note_latency("read latency", device.access_ns(AccessKind::kRead, AccessPattern::kRandom),
               host_access_ns(host, AccessKind::kRead, AccessPattern::kRandom), limits);
  return limits;
}

DeviceProfile scaled_to_host(const DeviceProfile& device, const DeviceProfile& reference,
                             const HostCalibration& host) {
  DeviceProfile scaled = device;
  if (device.near_cache) {
    auto cache = std::make_shared<NearCacheProfile>(*device.near_cache);
    cache->near = scaled_to_host(cache->near, reference, host);
    cache->far = scaled_to_host(cache->far, reference, host);
    scaled.near_cache = std::move(cache);
    return scaled;
  }
  for (const AccessKind kind : {AccessKind::kRead, AccessKind::kWrite}) {
    for (const AccessPattern pattern : {AccessPattern::kSequential, AccessPattern::kRandom}) {
      BandwidthCurve& own = scaled.curves[static_cast<int>(kind)][static_cast<int>(pattern)];
      own = scaled_by_threads(device, reference, kind, pattern,
                              kind == AccessKind::kRead ? host.read : host.write);
    }
  }
  const DeviceLatency& base = reference.latency;
  scaled.latency.read_sequential_ns =
      scaled_ns(device.latency.read_sequential_ns, base.read_sequential_ns,
                host_access_ns(host, AccessKind::kRead, AccessPattern::kSequential));
  scaled.latency.read_random_ns =
      scaled_ns(device.latency.read_random_ns, base.read_random_ns, host.chase_ns);
  return scaled;
}

}  // namespace hdbench::pmem
