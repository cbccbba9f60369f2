// A device's time as one number: when it will be free again.
//
// A charge books the device for a while from the moment it is free, but from no earlier than a
// `burst` before now: a morsel reports when it has already touched its bytes, so its transfer may
// have begun before. A bucket of credits is a clock too: one at the refill rate whose burst is the
// time that filling the bucket takes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace hdbench {

class VirtualClock {
 public:
  explicit VirtualClock(std::int64_t burst_ns = 0) : burst_ns_(burst_ns) {}

  // Free since `free_ns`; not while others book.
  void reset(std::int64_t free_ns) { free_ns_.store(free_ns, std::memory_order_relaxed); }
  void set_burst(std::int64_t burst_ns) { burst_ns_ = burst_ns; }

  // Books work_ns and returns when it ends. Many threads may book at once.
  std::int64_t book(std::int64_t now_ns, std::int64_t work_ns) {
    const std::int64_t earliest = now_ns - burst_ns_;
    std::int64_t free = free_ns_.load(std::memory_order_relaxed);
    std::int64_t end;
    do {
      end = std::max(free, earliest) + work_ns;
    } while (!free_ns_.compare_exchange_weak(free, end, std::memory_order_relaxed));
    return end;
  }

  std::int64_t free_ns() const { return free_ns_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> free_ns_{0};
  std::int64_t burst_ns_;
};

}  // namespace hdbench
