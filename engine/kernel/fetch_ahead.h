// Prefetches ahead of a scan, at the distances of core_habit.h.
#pragma once

#include <cstddef>

#include "engine/kernel/core_habit.h"
#include "engine/kernel/selection.h"

namespace hdbench {

// What a scan reads: `bytes` from `values` on, in elements of `width_bytes`. Its functions are
// always inlined: GCC 12 takes one that only prefetches for one without effect, and drops the call.
struct FetchAhead {
  const std::byte* values;
  std::size_t bytes;
  std::size_t width_bytes;
  FetchDistances distances = core_habit().scan_of(width_bytes);

  // Call for each step of `step_bytes` (whole lines) at `offset`; `next`: what is read after the
  // last of `values`, as far as is known (null: nothing).
  [[gnu::always_inline]] void fetch(std::size_t offset, std::size_t step_bytes,
                                    const std::byte* next) const {
    lines_at<kFirstLevel>(offset, step_bytes, distances.first_level, next);
    lines_at<kSecondLevel>(offset, step_bytes, distances.second_level, next);
  }

  // The same, to the first-level cache and `distance` ahead, for a pass that has several places of
  // `values` in turn.
  [[gnu::always_inline]] void fetch_near(std::size_t offset, std::size_t step_bytes,
                                         std::size_t distance) const {
    lines_at<kFirstLevel>(offset, step_bytes, distance, nullptr);
  }

 private:
  // As __builtin_prefetch counts levels.
  static constexpr int kFirstLevel = 3;
  static constexpr int kSecondLevel = 2;

  template <int kLevel>
  [[gnu::always_inline]] void lines_at(std::size_t offset, std::size_t step_bytes,
                                       std::size_t distance, const std::byte* next) const {
    const std::size_t ahead = offset + distance;
    if (distance == 0 || (ahead >= bytes && next == nullptr)) return;
    const std::byte* line = ahead < bytes ? values + ahead : next + (ahead - bytes);
    for (std::size_t i = 0; i < step_bytes; i += kLineBytes)
      __builtin_prefetch(line + i, /*rw=*/0, kLevel);
  }
};

}  // namespace hdbench
