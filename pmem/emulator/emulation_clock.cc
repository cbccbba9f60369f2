#include "pmem/emulator/emulation_clock.h"

#include <time.h>

#include <algorithm>

namespace hdbench::pmem {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kSpinNs = 50'000;
constexpr std::int64_t kMemorySpinNs = 500'000;
constexpr std::int64_t kLookNs = 50'000'000;  // at `stop`, while it sleeps

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

std::int64_t SteadyEmulationClock::now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

void SteadyEmulationClock::wait_until(std::int64_t deadline_ns, WaitFor what,
                                      const std::atomic<bool>* stop) {
  const auto stopped = [&] { return stop != nullptr && stop->load(std::memory_order_relaxed); };
  const std::int64_t wake_ns = deadline_ns - (what == WaitFor::kMemory ? kMemorySpinNs : kSpinNs);
  for (std::int64_t now = now_ns(); now < wake_ns && !stopped(); now = now_ns()) {
    const std::int64_t until_ns = std::min(wake_ns, now + kLookNs);
    timespec wake{};
    wake.tv_sec = static_cast<time_t>(until_ns / kNsPerSecond);
    wake.tv_nsec = until_ns % kNsPerSecond;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
  }
  while (now_ns() < deadline_ns && !stopped()) pause_core();
}

}  // namespace hdbench::pmem
