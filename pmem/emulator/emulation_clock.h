// The time that the emulator waits by. Tests put a clock of their own here.
#pragma once

#include <cstdint>

namespace hdbench {

class EmulationClock {
 public:
  virtual ~EmulationClock() = default;
  virtual std::int64_t now_ns() = 0;
  // Returns no earlier than this; at once if it has passed.
  virtual void wait_until(std::int64_t deadline_ns) = 0;
};

// The machine's monotonic clock: sleeps to 50 us before the deadline, then spins.
class SteadyEmulationClock final : public EmulationClock {
 public:
  std::int64_t now_ns() override;
  void wait_until(std::int64_t deadline_ns) override;
};

}  // namespace hdbench
