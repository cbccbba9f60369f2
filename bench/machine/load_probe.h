// Measures how memory behaves under load: the latency of a chain of reads on one thread while the
// others read at a chosen rate, what reads and writes get together by their mix, and what a loaded
// memory takes from another one.
//
// Over two buffers of several times the last-level caches (probe_bytes()): one is chased, the other
// one streamed, each generator over a part of its own in units that are all read or written and
// checked. A generator that is to be slower than it can be waits after each unit until the unit's
// time is over. A measurement begins when all threads have run for a while, and lasts kSeconds;
// over buffers below kLongBytes as many times less as these are smaller: caches need no such time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/base/thread_pool.h"
#include "pmem/emulator/device_profile.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {

// Units that are read for each so many that are written past the caches.
struct TrafficMix {
  unsigned reads = 1;
  unsigned writes = 0;
  double read_share() const { return reads / static_cast<double>(reads + writes); }
};

class LoadProbe {
 public:
  static constexpr double kSeconds = 0.06;
  static constexpr std::size_t kLongBytes = std::size_t{64} << 20;

  explicit LoadProbe(std::size_t buffer_bytes, RegionSource source = map_huge_memory)
      : buffer_bytes_(buffer_bytes), source_(std::move(source)) {}

  // One thread of the pool chases, the others read; gb_s: of them together, as fast as they can
  // where there is none. The point's GB/s are those of all threads. Requires: no rate but 0 on one
  // thread. Errors: kData where memory is not available; kMismatch: something was read that is not
  // there.
  Result<LoadPoint> latency(ThreadPool& pool, std::optional<double> gb_s);

  // GB/s of all threads, reads and writes together. Errors: as latency().
  Result<double> bandwidth(ThreadPool& pool, const TrafficMix& mix);

  // GB/s that the other threads read as fast as they can while one thread reads gb_s. Requires: two
  // threads or more. Errors: as latency().
  Result<double> bandwidth_beside(ThreadPool& pool, double gb_s);

  // The bandwidth that half of the threads lose in `other`'s memory while the other half read this
  // one as fast as they can: a share of what they get alone. Requires: two threads or more. Errors:
  // as latency().
  Result<double> taken_from(LoadProbe& other, ThreadPool& pool);

  // Both buffers; none before the first measurement.
  std::vector<std::span<const std::byte>> buffers() const;

 private:
  struct Generators {
    std::size_t first = 0;  // of the pool's threads
    std::size_t count = 0;
    TrafficMix mix;
    std::optional<double> gb_s;  // of them together
    LoadProbe* memory = nullptr;
    double moved_gb_s = 0;  // what came out
  };

  Status map_buffers();
  // Runs them all at once, and gives the ns of a read of the chase: the first thread chases where
  // no generators have it, else 0. Threads of neither do nothing.
  Result<double> run(ThreadPool& pool, std::span<Generators> generators);

  double share_of_time() const {
    return std::min(1.0, static_cast<double>(buffer_bytes_) / static_cast<double>(kLongBytes));
  }

  std::size_t buffer_bytes_;
  RegionSource source_;
  Region chased_;
  std::uint64_t chased_line_ = 0;  // where the last chase ended
  Region streamed_;
};

// Medians of several rounds: latency from rest to as much as all but one thread read, rising by
// GB/s, and what the mixes kMixes get.
struct LoadCurves {
  std::vector<LoadPoint> latency;
  std::vector<MixPoint> mixes;  // rising by the share of reads
};
inline constexpr std::array<TrafficMix, 5> kMixes{{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {1, 0}}};

// Loads in tenths of the most, one round of all after another, so that a machine that changes
// changes every point alike. On one thread: rest alone. on_step(done, total) is called after each
// measurement; false ends it with kUsage "interrupted". Errors: as LoadProbe's.
Result<LoadCurves> measure_load(LoadProbe& probe, ThreadPool& pool, std::size_t rounds,
                                const std::function<bool(std::size_t, std::size_t)>& on_step);

// The latencies as a curve that does not fall: neighbours that do are replaced by their mean.
// Rising by GB/s.
std::vector<LoadPoint> rising_latencies(std::vector<LoadPoint> points);

}  // namespace hdbench::bench
