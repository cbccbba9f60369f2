// The ranges that a worker accessed last: accesses to them, while the last-level cache holds them,
// are not traffic of near memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hdbench::pmem {

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

}  // namespace hdbench::pmem
