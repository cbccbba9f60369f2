#include "pmem/emulator/emulation_clock.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

constexpr std::int64_t kHourNs = std::int64_t{3600} * 1'000'000'000;

TEST_CASE("a wait ends no earlier than its deadline") {
  SteadyEmulationClock clock;
  for (const WaitFor what : {WaitFor::kMemory, WaitFor::kDisk}) {
    const std::int64_t deadline_ns = clock.now_ns() + 2'000'000;
    clock.wait_until(deadline_ns, what, nullptr);
    CHECK(clock.now_ns() >= deadline_ns);
  }
}

TEST_CASE("a wait ends when it is stopped") {
  SteadyEmulationClock clock;
  const std::atomic<bool> stop{true};
  const std::int64_t begin_ns = clock.now_ns();
  clock.wait_until(begin_ns + kHourNs, WaitFor::kMemory, &stop);
  CHECK(clock.now_ns() < begin_ns + kHourNs);
}

}  // namespace
}  // namespace hdbench::pmem
