// The emulator's clock; tests provide their own.
#pragma once

#include <atomic>
#include <cstdint>

namespace hdbench::pmem {

// A core that waits for memory is busy, and keeps its caches; one that waits for a disk sleeps.
enum class WaitFor : std::uint8_t { kMemory, kDisk };

class EmulationClock {
 public:
  virtual ~EmulationClock() = default;
  virtual std::int64_t now_ns() = 0;
  // Returns no earlier than this, at once if it has passed; or soon after `stop` (null: never) is
  // set.
  virtual void wait_until(std::int64_t deadline_ns, WaitFor what,
                          const std::atomic<bool>* stop) = 0;
};

// The machine's monotonic clock: sleeps to 50 us before the deadline (500 where it is memory that
// is waited for: all of what EmulatedMeter waits off at a time, as a rule), then spins.
class SteadyEmulationClock final : public EmulationClock {
 public:
  std::int64_t now_ns() override;
  void wait_until(std::int64_t deadline_ns, WaitFor what, const std::atomic<bool>* stop) override;
};

}  // namespace hdbench::pmem
