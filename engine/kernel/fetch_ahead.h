// Fetching ahead of a scan: a core's own prefetcher follows one array within a page, is late at the
// next page and knows nothing of the array that is read after this one.
#pragma once

#include <cstddef>

namespace hdbench {

// How far ahead: measured best between 2 and 8 KiB.
constexpr std::size_t kFetchAheadBytes = 4096;

// What a scan reads: `bytes` from `values` on.
struct FetchAhead {
  const std::byte* values = nullptr;
  std::size_t bytes = 0;

  // Call for each step of `step_bytes` (whole lines) at `offset`; `next`: what is read after the
  // last of `values`, as far as is known (null: nothing). Always inlined: GCC 12 takes a function
  // that only prefetches for one without effect, and drops the call.
  [[gnu::always_inline]] void fetch(std::size_t offset, std::size_t step_bytes,
                                    const std::byte* next) const {
    const std::size_t ahead = offset + kFetchAheadBytes;
    if (ahead >= bytes && next == nullptr) return;
    const std::byte* line = ahead < bytes ? values + ahead : next + (ahead - bytes);
    for (std::size_t i = 0; i < step_bytes; i += 64) __builtin_prefetch(line + i);
  }
};

}  // namespace hdbench
