// Prefetches ahead of a scan, at the distances of cpu_tuning.h.
#pragma once

#include <cstddef>

#include "engine/kernel/cpu_tuning.h"
#include "engine/kernel/selection.h"

namespace hdbench {

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
