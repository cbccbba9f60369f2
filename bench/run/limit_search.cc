#include "bench/run/limit_search.h"

#include <fmt/format.h>

#include <algorithm>

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kDoublings = 4;

std::uint64_t mib_above(std::uint64_t bytes) {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  return std::max<std::uint64_t>(1, (bytes + kMib - 1) / kMib);
}

}  // namespace

Result<SmallestLimit> find_smallest_limit(
    std::uint64_t unlimited_peak_bytes,
    const std::function<Result<LimitTry>(std::uint64_t limit_mib)>& try_limit) {
  SmallestLimit found;
  std::uint64_t low = 0;  // does not complete: a limit of 0 MiB would be none at all
  std::uint64_t high = mib_above(unlimited_peak_bytes);
  for (std::uint64_t doubling = 0;; ++doubling) {
    HDB_ASSIGN(const LimitTry attempt, try_limit(high));
    if (attempt.completed) {
      found.limit_mib = high;
      found.peak_bytes = attempt.peak_bytes;
      break;
    }
    if (doubling == kDoublings) {
      return Error{ErrorKind::kLimit,
                   fmt::format("stops at -w {}, though it took {} MiB without a limit", high,
                               mib_above(unlimited_peak_bytes)),
                   {}};
    }
    found.stopped_at_bytes = attempt.peak_bytes;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    HDB_ASSIGN(const LimitTry attempt, try_limit(middle));
    if (attempt.completed) {
      high = middle;
      found.limit_mib = middle;
      found.peak_bytes = attempt.peak_bytes;
    } else {
      low = middle;
      found.stopped_at_bytes = attempt.peak_bytes;
    }
  }
  return found;
}

}  // namespace hdbench::bench
