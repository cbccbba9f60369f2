// A device's clock: the time at which it is free again.
//
// A charge occupies the device from the moment it is free, but from no earlier than a `burst`
// before now: a device that was idle for less counts as busy, as reports arrive late. A bucket of
// credits is such a clock at the refill rate, whose burst is the time to fill the bucket. A bucket
// refilled in steps (the kernel's throttle: a number of bytes in each slice of time) is a clock
// whose work ends at the next step, counted from the first use of the full bucket.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace hdbench::pmem {

// Aligned to its own cache lines, as charges write it while neighbouring data are only read.
class alignas(64) VirtualClock {
 public:
  explicit VirtualClock(std::int64_t burst_ns = 0) : burst_ns_(burst_ns) {}

  // Free since `free_ns`, by the burst that is set; not while others book.
  void reset(std::int64_t free_ns) {
    free_ns_.store(free_ns, std::memory_order_relaxed);
    first_step_ns_ = free_ns + burst_ns_;
  }
  void set_burst(std::int64_t burst_ns) { burst_ns_ = burst_ns; }
  // 0: none.
  void set_step(std::int64_t step_ns) { step_ns_ = step_ns; }

  // Books work_ns and returns when it ends. Many threads may book at once.
  std::int64_t book(std::int64_t now_ns, std::int64_t work_ns) {
    if (step_ns_ > 0) return book_stepped(now_ns, work_ns);
    const std::int64_t earliest = now_ns - burst_ns_;
    std::int64_t free = free_ns_.load(std::memory_order_relaxed);
    std::int64_t end;
    do {
      end = std::max(free, earliest) + work_ns;
    } while (!free_ns_.compare_exchange_weak(free, end, std::memory_order_relaxed));
    return end;
  }

  // When the last work ends. Not while others book on a clock with steps.
  std::int64_t free_ns() const { return at_step(free_ns_.load(std::memory_order_relaxed)); }

 private:
  // Rare (a disk's transfers), so a lock may keep the two numbers together.
  std::int64_t book_stepped(std::int64_t now_ns, std::int64_t work_ns) {
    const std::lock_guard lock(stepped_);
    std::int64_t free = free_ns_.load(std::memory_order_relaxed);
    if (at_step(free) <= now_ns - burst_ns_) first_step_ns_ = now_ns;
    // What an earlier step left over is lost when the next one comes.
    const std::int64_t steps = std::max<std::int64_t>(0, now_ns - first_step_ns_) / step_ns_;
    free = std::max(free, first_step_ns_ + steps * step_ns_ - burst_ns_);
    free_ns_.store(free + work_ns, std::memory_order_relaxed);
    return at_step(free + work_ns);
  }

  std::int64_t at_step(std::int64_t end_ns) const {
    if (step_ns_ == 0 || end_ns <= first_step_ns_) return end_ns;
    const std::int64_t steps = (end_ns - first_step_ns_ + step_ns_ - 1) / step_ns_;
    return first_step_ns_ + steps * step_ns_;
  }

  std::atomic<std::int64_t> free_ns_{0};
  std::int64_t burst_ns_;
  std::int64_t step_ns_ = 0;
  std::int64_t first_step_ns_ = 0;
  std::mutex stepped_;
};

}  // namespace hdbench::pmem
