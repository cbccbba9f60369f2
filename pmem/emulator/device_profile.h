// A device's figures: what the emulator charges by. Read from JSON, each figure with its source.
//
// A field that the sources do not give is left out of the file; the rule for its absence stands
// beside it here. Units: GB/s are 10^9 bytes a second, latencies are of an idle device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/meter.h"
#include "engine/base/result.h"

namespace hdbench::pmem {

// A curve's value: linear between points that rise by `x`, constant outside them. Requires: there
// is a point.
template <typename Point>
double value_at(const std::vector<Point>& points, double Point::* x, double Point::* y, double at) {
  if (at <= points.front().*x) return points.front().*y;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point& left = points[i - 1];
    const Point& right = points[i];
    if (at > right.*x) continue;
    const double share = (at - left.*x) / (right.*x - left.*x);
    return left.*y + share * (right.*y - left.*y);
  }
  return points.back().*y;
}

struct BandwidthPoint {
  double threads = 1;
  double gb_s = 0;  // 10^9 bytes a second
};

// Bandwidth as a function of the number of threads.
struct BandwidthCurve {
  std::vector<BandwidthPoint> points;  // rising by threads; one point: the same for any threads
  double one_thread_gb_s = 0;          // the most that one thread gets; 0: no such figure

  bool known() const { return !points.empty(); }

  // The bandwidth of all threads together. Requires: known().
  double at(double threads) const {
    return value_at(points, &BandwidthPoint::threads, &BandwidthPoint::gb_s, threads);
  }
};

// A read at random while the device moves so much, reads and writes of all threads together.
struct LoadPoint {
  double gb_s = 0;
  double ns = 0;
};

// What reads and writes get together, by the share of reads in their bytes.
struct MixPoint {
  double read_share = 1;  // 0 to 1
  double gb_s = 0;
};

// The medium name of profiles of near memory: DRAM, which is emulated as a near cache alone.
constexpr std::string_view kNearMedium = "dram";

enum class DeviceKind { kMemory, kBlock };
enum class AccessPattern { kSequential, kRandom };

// Reads and writes share the device's time, or each have their own.
enum class MixRule { kShared, kDuplex };

// A volume's allowance above its refill rate until the bucket is empty (gp2: I/Os; st1: bytes; a
// disk under the kernel's throttle: the bytes of one time slice). Refilled evenly, or completely
// whenever capacity / refill_per_s has passed since the full bucket was first used.
struct CreditBucket {
  enum class Unit { kBytes, kIos };
  enum class Refill { kEven, kSteps };  // kEven where not given
  Unit unit = Unit::kBytes;
  double capacity = 0;
  double refill_per_s = 0;
  double burst_per_s = 0;  // the rate while there are credits
  Refill refill = Refill::kEven;
};

// Absent (0) where not given: sequential reads have the random latency, anything else none.
struct DeviceLatency {
  double read_sequential_ns = 0;
  double read_random_ns = 0;
  double write_ns = 0;
};

// The rate of a disk where nothing was read ahead: files of this size, one after another, each read
// completely and waited for.
struct SmallFiles {
  std::uint64_t bytes = 0;
  BandwidthCurve read;
};

// A near memory holds copies of the far one's lines, or lines move between the two (Flat Memory
// Mode), whose bytes then add up.
enum class NearPolicy { kInclusive, kExclusive };

struct NearCacheProfile;

struct DeviceProfile {
  std::string name;
  std::string about;
  DeviceKind kind = DeviceKind::kMemory;
  std::string medium;  // the medium's name that it emulates; empty: any of its kind
  std::uint32_t granularity_bytes = 64;
  std::uint64_t capacity_bytes = 0;  // 0: not given
  DeviceLatency latency;
  double mlp = 1;                  // accesses in flight a core; 1 where not given
  BandwidthCurve curves[2][2];     // [AccessKind][AccessPattern]; see curve()
  MixRule mix = MixRule::kShared;  // kShared where not given
  // Rising by read_share; none: reads and writes take the device's time as either does alone.
  std::vector<MixPoint> mix_points;
  // Rising by gb_s, latencies not falling; none: latency.read_random_ns at any load.
  std::vector<LoadPoint> loaded_latency;
  // Of the bandwidth of the socket's other memories: what this device takes from them when it is
  // fully loaded; in proportion to its load below that. 0 where not given.
  double interference_share = 0;
  double instance_gb_s = 0;  // 0: no cap
  std::optional<CreditBucket> credits;
  double iops[2] = {0, 0};  // [AccessKind], random accesses; 0: no cap
  // Block devices: what the kernel reads around a page that a mapping lacks; 0: the page alone.
  std::uint64_t read_around_bytes = 0;
  // Block devices, by rising size; none: a file's first bytes come as fast as those that were read
  // ahead.
  std::vector<SmallFiles> small_files;
  std::uint64_t random_cost_bytes = 0;  // a random access costs at least this; 0: its granularity
  std::string digest;  // XXH3 of the file's text, 16 hexadecimal digits; empty: of no file
  std::map<std::string, std::string> sources;  // by field: "latency.read_random"

  // Set for a far device behind a cache of near memory. Then only name, about, kind and sources are
  // the profile's own; the figures are near's and far's.
  std::shared_ptr<const NearCacheProfile> near_cache;

  // The curve of this kind and pattern; where there is none, the sequential curve of the kind, and
  // where there is none either, the reads'.
  const BandwidthCurve& curve(AccessKind kind, AccessPattern pattern) const;

  // Nanoseconds of one access that finds the device idle.
  double access_ns(AccessKind kind, AccessPattern pattern) const;

  // How many times as long a read takes while the device moves gb_s: 1 at rest, and at any load
  // where the profile does not tell.
  double loaded_over_idle(double gb_s) const;

  // The rate of a mix over that which the rates of reads alone and of writes alone would give; 1
  // where the profile does not tell.
  double mix_gain(double read_share) const;
};

struct NearCacheProfile {
  DeviceProfile near;
  DeviceProfile far;
  std::uint32_t line_bytes = 64;
  std::uint64_t cache_bytes = 0;               // 0: whoever emulates says
  NearPolicy policy = NearPolicy::kInclusive;  // kInclusive where not given
};

// JSON, in which `//` begins a comment. Errors: kUsage with file, field, found and expected. A near
// or far device that is a name is loaded from profiles_directory().
Result<DeviceProfile> parse_profile(std::string_view text, const std::string& file);

// Every error of a profile's text, one a field, as parse_profile() tells the first. Empty: none.
std::vector<std::string> profile_errors(std::string_view text, const std::string& file);

// A profile by its name (optane-100-6dimm) or by the path of a file (anything with a slash or
// ending in .json), whose name need not be the profile's. Errors: kUsage.
Result<DeviceProfile> load_profile(const std::string& name_or_path);
// The text of its file.
Result<std::string> profile_text(const std::string& name_or_path);

// Where profiles lie: beside the installed program, or in the source tree.
std::filesystem::path profiles_directory();

// Names of the profiles there, sorted.
std::vector<std::string> profile_names();

}  // namespace hdbench::pmem
