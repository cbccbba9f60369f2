// A device that accesses are charged to: one account, or a near and a far account behind a near
// cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/meter.h"
#include "engine/base/result.h"
#include "pmem/emulator/device_account.h"
#include "pmem/emulator/device_profile.h"
#include "pmem/emulator/near_cache.h"
#include "pmem/emulator/page_placement.h"
#include "pmem/emulator/region_table.h"
#include "pmem/emulator/selected_lines.h"

namespace hdbench::pmem {

// The ranges that a worker accessed last: accesses to them, while the last-level cache holds them,
// are not traffic of near memory.
class RecentRanges {
 public:
  // Forgets all. cache_bytes: the worker's share of the last-level cache; 0: nothing is ever held.
  void reset(std::uint64_t cache_bytes) {
    cache_bytes_ = cache_bytes;
    traffic_bytes_ = 0;
    ranges_ = {};
  }

  // Whether all of [begin, end) lies in one range that was noted within the last cache_bytes of
  // traffic.
  bool holds(std::uintptr_t begin, std::uintptr_t end) const {
    if (cache_bytes_ == 0) return false;
    for (const Range& range : ranges_) {
      const bool held = traffic_bytes_ - range.noted_at <= cache_bytes_;
      if (range.begin <= begin && end <= range.end && held) return true;
    }
    return false;
  }

  // bytes: of traffic; `whole` where every line of [begin, end) was accesses: only then is it
  // noted.
  void note(std::uintptr_t begin, std::uintptr_t end, std::uint64_t bytes, bool whole) {
    if (cache_bytes_ == 0) return;
    traffic_bytes_ += bytes;
    if (whole && bytes <= cache_bytes_) {
      ranges_[next_++ % ranges_.size()] = {begin, end, traffic_bytes_};
    }
  }

 private:
  struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::uint64_t noted_at = 0;
  };
  std::array<Range, 16> ranges_{};
  std::size_t next_ = 0;
  std::uint64_t cache_bytes_ = 0;
  std::uint64_t traffic_bytes_ = 0;
};

struct EmulatedDeviceSetup {
  DeviceProfile profile;
  // For profiles with a near cache: its size (0: the profile's own; sets are sampled from
  // NearCache::kExactBytesMax on), and the placement of pages behind it.
  std::uint64_t near_cache_bytes = 0;
  PlacementRule placement;
  // Disks only: regions are files, each behind a page cache that keeps what was read.
  bool has_page_cache = false;
  // Memory without a near cache only: the pages that lie on the device.
  PageInterleave interleave = {};
  // What the other pages lie on where they do not lie on the device: another one's figures.
  // Nothing: this host's memory, which costs what it takes.
  std::optional<DeviceProfile> local = {};
};

struct NearCacheFigures {
  MediaBytes near;
  std::uint64_t lines = 0;  // looked up
  std::uint64_t hits = 0;
};

// What an access needs of a device, apart from when: of itself, and of its near memory (a near
// cache's, or that of pages that lie locally). Charges of nothing are left out.
struct Demand {
  std::vector<Charge> far;
  std::vector<Charge> near;

  bool is_empty() const { return far.empty() && near.empty(); }
};

class EmulatedDevice {
 public:
  // Errors: kUsage for a near cache without a size or larger than NearCache::kBytesMax, random
  // placement without physical memory, shared pages of a disk or behind a near cache, or a local
  // device that is none of memory or shares no pages.
  static Status check(const EmulatedDeviceSetup& setup);
  // Errors: kData, with the figures, where a near cache's tags take more than a quarter of what
  // this host has available (nothing: not known), which belongs to the data.
  static Status check_memory(const EmulatedDeviceSetup& setup,
                             std::optional<std::uint64_t> available_bytes);
  // Errors: check()'s.
  static Result<std::unique_ptr<EmulatedDevice>> make(const EmulatedDeviceSetup& setup,
                                                      const HostCalibration& host);

  const std::string& name() const { return name_; }
  // Of the device itself, behind a near cache the far one's.
  const DeviceProfile& profile() const { return far_.profile(); }
  bool has_near_cache() const { return cache_ != nullptr; }
  bool is_disk() const { return has_page_cache_; }
  // Of the accessed bytes, those that lie on this device; all but where pages are shared.
  std::uint64_t own_bytes(const Access& access) const;

  // A region on this device, with its blocks placed if there is a near cache.
  EmulatedRegion place(std::uintptr_t begin, std::uintptr_t end, std::uint32_t device);

  void begin(const DeviceAccount::Begin& begin);

  // What one access needs; it is so determined once, in the order of accesses, that pages become
  // those of a page cache and lines those of a near one. `recent` is the calling worker's own.
  Demand demand(const Access& access, const EmulatedRegion& region, RecentRanges& recent);
  Charged charge(const Demand& demand, const Moment& moment);

  // Both: charges one access.
  Charged access(const Access& access, const EmulatedRegion& region, const Moment& moment,
                 RecentRanges& recent);

  // Since begin(): of the device itself (the far one), and of the near cache.
  MediaBytes media_bytes() const { return far_.media_bytes(); }
  NearCacheFigures near_figures() const;
  std::int64_t busy_until_ns() const;
  // How long after begin_ns its last device is free, if all that was charged was done within all_ns
  // and the socket's other devices made it so much slower.
  double busy_ns(std::int64_t begin_ns, double all_ns, double slowed) const;
  // Of the socket's other memories' bandwidth: what this device takes, now or at such a load.
  double taken_share() const { return far_.taken_share(); }
  double taken_share(double gb_s) const { return far_.taken_share(gb_s); }
  // DeviceProfile::loaded_over_idle(); 1 behind a near cache, where several latencies add up.
  double loaded_over_idle(double gb_s) const {
    return near_ ? 1 : far_.profile().loaded_over_idle(gb_s);
  }

  // As after making: an empty near cache.
  void clear();

 private:
  EmulatedDevice(const EmulatedDeviceSetup& setup, const HostCalibration& host);
  // A disk's: what of it is not in the page cache.
  Demand demand_windows(const Access& access, const SelectedElements& selection,
                        const EmulatedRegion& region) const;
  // Where pages are shared with the host, or with the local device.
  Demand demand_shared(const Access& access, const SelectedElements& selection) const;
  Demand demand_cached(const Access& access, const SelectedElements& selection,
                       const EmulatedRegion& region, RecentRanges& recent);

  std::string name_;
  DeviceAccount far_;
  std::unique_ptr<DeviceAccount> near_;  // a near cache's, or of the pages that lie locally
  std::unique_ptr<NearCache> cache_;
  std::unique_ptr<PhysicalMemory> memory_;
  std::uint32_t line_bytes_ = 64;
  bool has_page_cache_ = false;
  PageInterleave interleave_;
  ShardedCount lines_;
  ShardedCount hits_;
};

}  // namespace hdbench::pmem
