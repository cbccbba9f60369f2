#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/base/statistics.h"
#include "bench/machine/disk_probe.h"

namespace hdbench::bench {
namespace {

// The first reads run at the disk's own rate.
constexpr std::size_t kFastReads = 4;
constexpr double kStalled = 3;    // times as slow as those
constexpr double kLimited = 1.5;  // all of them together: otherwise nothing holds the disk back
constexpr std::size_t kStallsMin = 5;
constexpr double kIrregular = 0.15;  // of the median, by half of the intervals
constexpr double kGbBytes = 1e9;

struct Stalls {
  std::vector<std::size_t> reads;  // which they are
  std::vector<double> ends;        // seconds from the first read's begin
};

Stalls find_stalls(std::span<const double> seconds, double fast) {
  Stalls stalls;
  double now = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    now += seconds[i];
    if (seconds[i] <= kStalled * fast) continue;
    stalls.reads.push_back(i);
    stalls.ends.push_back(now);
  }
  return stalls;
}

bool are_regular(const std::vector<double>& intervals) {
  const double middle = median(intervals);
  std::vector<double> off;
  for (const double interval : intervals) off.push_back(std::abs(interval - middle));
  return median(off) <= kIrregular * middle;
}

}  // namespace

std::optional<ProbedBurst> fit_burst(std::span<const double> seconds, double read_bytes) {
  if (seconds.size() < 2 * kFastReads) return std::nullopt;
  const double fast = median(seconds.first(kFastReads));
  const Stalls stalls = find_stalls(seconds, fast);
  if (stalls.reads.size() < kStallsMin || stalls.reads.front() < kFastReads / 2)
    return std::nullopt;
  double all = 0;
  for (const double read : seconds) all += read;
  if (all < kLimited * fast * static_cast<double>(seconds.size())) return std::nullopt;

  std::vector<double> intervals;
  for (std::size_t k = 1; k < stalls.ends.size(); ++k)
    intervals.push_back(stalls.ends[k] - stalls.ends[k - 1]);
  if (!are_regular(intervals)) return std::nullopt;
  const auto reads = static_cast<double>(stalls.reads.back() - stalls.reads.front());
  const double span = stalls.ends.back() - stalls.ends.front();
  const double per_second = reads * read_bytes / span;

  ProbedBurst burst;
  burst.gb_s = read_bytes / fast / kGbBytes;
  burst.refill_gb_s = per_second / kGbBytes;
  // Between two steps whole reads pass; evenly refilled, every read waits.
  burst.in_steps = reads >= 2 * static_cast<double>(intervals.size());
  if (burst.in_steps) {
    burst.bytes = reads * read_bytes / static_cast<double>(intervals.size());
  } else {
    // While the first reads took the bucket's bytes, it was refilled.
    const double passed = static_cast<double>(stalls.reads.front()) * read_bytes;
    burst.bytes = passed * (1 - burst.refill_gb_s / burst.gb_s);
  }
  return burst;
}

}  // namespace hdbench::bench
