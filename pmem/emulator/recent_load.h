// What a device moved of late: how loaded it is, and which share of that was read.
//
// Both are estimates of a moving window, as a device's latency and the rates of a mix depend on
// what it does now, not on what a query did a second ago. The load is that of the last whole window
// of kWindowNs; before there is one, none. The share is that of the last kMixBytes to twice as
// many. Many threads may add at once; a count that is lost between two of them is one report of
// thousands.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/base/meter.h"

namespace hdbench::pmem {

class RecentLoad {
 public:
  static constexpr std::int64_t kWindowNs = 500'000;
  static constexpr std::uint64_t kMixBytes = std::uint64_t{16} << 20;

  // Not while others add.
  void reset(std::int64_t now_ns) {
    begin_ns_.store(now_ns, std::memory_order_relaxed);
    bytes_.store(0, std::memory_order_relaxed);
    gb_s_.store(0, std::memory_order_relaxed);
    for (int kind = 0; kind < 2; ++kind) {
      mixed_[kind].store(0, std::memory_order_relaxed);
      mixed_before_[kind].store(0, std::memory_order_relaxed);
    }
  }

  // These bytes were requested at this time. A clock that stands still has no load.
  void add(AccessKind kind, std::uint64_t bytes, std::int64_t now_ns) {
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    std::int64_t begin_ns = begin_ns_.load(std::memory_order_relaxed);
    if (now_ns - begin_ns >= kWindowNs &&
        begin_ns_.compare_exchange_strong(begin_ns, now_ns, std::memory_order_relaxed)) {
      const auto moved = static_cast<double>(bytes_.exchange(0, std::memory_order_relaxed));
      gb_s_.store(moved / static_cast<double>(now_ns - begin_ns), std::memory_order_relaxed);
    }
    const int number = static_cast<int>(kind);
    const std::uint64_t mixed = mixed_[number].fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (mixed < kMixBytes) return;
    for (int k = 0; k < 2; ++k) {
      mixed_before_[k].store(mixed_[k].exchange(0, std::memory_order_relaxed),
                             std::memory_order_relaxed);
    }
  }

  double gb_s() const { return gb_s_.load(std::memory_order_relaxed); }

  // 1 where nothing was moved.
  double read_share() const {
    double moved[2];
    for (int k = 0; k < 2; ++k) {
      moved[k] = static_cast<double>(mixed_[k].load(std::memory_order_relaxed) +
                                     mixed_before_[k].load(std::memory_order_relaxed));
    }
    const double all = moved[0] + moved[1];
    return all > 0 ? moved[static_cast<int>(AccessKind::kRead)] / all : 1;
  }

 private:
  std::atomic<std::int64_t> begin_ns_{0};
  std::atomic<std::uint64_t> bytes_{0};  // of this window
  std::atomic<double> gb_s_{0};          // of the last whole one
  // [AccessKind]
  std::atomic<std::uint64_t> mixed_[2] = {0, 0};
  std::atomic<std::uint64_t> mixed_before_[2] = {0, 0};
};

}  // namespace hdbench::pmem
