// How far ahead scans prefetch: a few named strategies, of which `hdbench run` times each and takes
// the fastest. Changes how fast results are computed, never the results.
#pragma once

#include <cstddef>

#include "engine/kernel/selection.h"

namespace hdbench {

struct CpuTuning {
  const char* name;
  // Distances in bytes; 0: nothing is prefetched. Lines are prefetched to the second-level cache
  // and, from there, to the first.
  std::size_t second_level;
  std::size_t first_level;
};

// The plainest first: the hardware's prefetchers alone; lines less than a page ahead, which adds to
// them; and lines several pages ahead, for hardware that stops at the end of a page.
inline constexpr CpuTuning kCpuTunings[] = {
    {"hardware", 0, 0}, {"near", 0, 1024}, {"far", 16384, 1024}};

// The strategy in use: the plainest one until another is set.
const CpuTuning& cpu_tuning();

// Requires: no kernel is running; `tuning` outlives its use.
void set_cpu_tuning(const CpuTuning& tuning);

// Prefetches ahead of a scan, at the distances of the strategy in use.
//
// Its functions are always inlined: GCC 12 takes one that only prefetches for one without effect,
// and drops the call.
class FetchAhead {
 public:
  // Call for each step of `bytes` (whole lines) from `at` on. Lines beyond a column's end are
  // prefetched too: they are the next morsel's, or are never read.
  [[gnu::always_inline]] void fetch(const void* at, std::size_t bytes) const {
    lines_at<kFirstLevel>(at, bytes, tuning_.first_level);
    lines_at<kSecondLevel>(at, bytes, tuning_.second_level);
  }

 private:
  // As __builtin_prefetch counts levels.
  static constexpr int kFirstLevel = 3;
  static constexpr int kSecondLevel = 2;

  template <int kLevel>
  [[gnu::always_inline]] static void lines_at(const void* at, std::size_t bytes,
                                              std::size_t distance) {
    if (distance == 0) return;
    const std::byte* const line = static_cast<const std::byte*>(at) + distance;
    for (std::size_t i = 0; i < bytes; i += kLineBytes)
      __builtin_prefetch(line + i, /*rw=*/0, kLevel);
  }

  CpuTuning tuning_ = cpu_tuning();
};

}  // namespace hdbench
