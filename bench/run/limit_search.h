// Searches the smallest workspace limit under which a query completes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "engine/base/result.h"

namespace hdbench::bench {

// One try of a query under a limit.
struct LimitTry {
  bool completed = false;
  std::uint64_t peak_bytes = 0;  // where it completed or stopped
};

struct SmallestLimit {
  std::uint64_t limit_mib = 1;
  std::uint64_t peak_bytes = 0;  // under that limit
  // What the query had taken when one MiB less stopped it; nothing where 1 MiB is enough.
  std::optional<std::uint64_t> stopped_at_bytes;
};

// Bisects between 1 MiB and what an unlimited run took (unlimited_peak_bytes). Where a limit of
// that much is not enough (threads do not take the same twice), the limit is doubled until it is.
// Errors: try_limit's; kLimit where even 16 times the peak is not enough.
Result<SmallestLimit> find_smallest_limit(
    std::uint64_t unlimited_peak_bytes,
    const std::function<Result<LimitTry>(std::uint64_t limit_mib)>& try_limit);

}  // namespace hdbench::bench
