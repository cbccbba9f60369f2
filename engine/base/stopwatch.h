// Adds the time that it lives to a sum, in ms of the machine's monotonic clock.
#pragma once

#include <chrono>

namespace hdbench {

class Stopwatch {
 public:
  explicit Stopwatch(double& ms) : ms_(ms) {}
  ~Stopwatch() { ms_ += std::chrono::duration<double, std::milli>(Clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& ms_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace hdbench
