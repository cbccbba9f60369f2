// Fetching ahead of a scan: a core's own prefetcher follows one array within a page, is late at the
// next page and knows nothing of the array that is read after this one.
#pragma once

#include <cstddef>

#include "engine/kernel/selection.h"

namespace hdbench {

// How far ahead a scan's lines are fetched: to the second-level cache, which can wait for more of
// them at a time than the first, and from there to the first. Measured on an Emerald Rapids core
// against fetching to the first level 4 KiB ahead: scans of memory 1.1 times as fast on one thread
// and 1.01 to 1.15 on two. 8 to 32 KiB, and 1 to 2 KiB, differ by less than the noise.
constexpr std::size_t kFetchAheadBytes = 16384;
constexpr std::size_t kFetchNearBytes = 1024;

// What a scan reads: `bytes` from `values` on. Its functions are always inlined: GCC 12 takes one
// that only prefetches for one without effect, and drops the call.
struct FetchAhead {
  const std::byte* values = nullptr;
  std::size_t bytes = 0;

  // Call for each step of `step_bytes` (whole lines) at `offset`; `next`: what is read after the
  // last of `values`, as far as is known (null: nothing).
  [[gnu::always_inline]] void fetch(std::size_t offset, std::size_t step_bytes,
                                    const std::byte* next) const {
    constexpr int kSecondLevel = 2;
    fetch_near(offset, step_bytes, kFetchNearBytes);
    const std::size_t ahead = offset + kFetchAheadBytes;
    if (ahead >= bytes && next == nullptr) return;
    const std::byte* line = ahead < bytes ? values + ahead : next + (ahead - bytes);
    for (std::size_t i = 0; i < step_bytes; i += kLineBytes)
      __builtin_prefetch(line + i, /*rw=*/0, kSecondLevel);
  }

  // The same, to the first-level cache and `distance` ahead, for a pass that has several places of
  // `values` in turn.
  [[gnu::always_inline]] void fetch_near(std::size_t offset, std::size_t step_bytes,
                                         std::size_t distance) const {
    const std::size_t ahead = offset + distance;
    if (ahead >= bytes) return;
    for (std::size_t i = 0; i < step_bytes; i += kLineBytes) __builtin_prefetch(values + ahead + i);
  }
};

}  // namespace hdbench
