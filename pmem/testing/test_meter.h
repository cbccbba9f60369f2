// Shared by the tests of the emulator's meter.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/emulator/emulated_meter.h"
#include "pmem/testing/flat_profile.h"

namespace hdbench::testing {
using namespace pmem;

constexpr std::uintptr_t kBase = std::uintptr_t{1} << 42;
constexpr std::uint64_t kMorselBytes = std::uint64_t{1} << 19;

inline const std::byte* at(std::uintptr_t offset) {
  return std::bit_cast<const std::byte*>(kBase + offset);
}

// Time that passes only when told, or waited for.
class HandClock final : public EmulationClock {
 public:
  std::int64_t now_ns() override { return now_; }
  void wait_until(std::int64_t deadline_ns, WaitFor /*what*/,
                  const std::atomic<bool>* /*stop*/) override {
    now_ = std::max(now_, deadline_ns + late_ns);
  }
  void work(std::int64_t ns) { now_ += ns; }

  std::int64_t late_ns = 0;  // how much too long a wait takes

 private:
  std::int64_t now_ = 123456789;
};

inline DeviceProfile named(const char* name) {
  auto profile = load_profile(name);
  REQUIRE(profile.ok());
  return *profile;
}

inline std::unique_ptr<EmulatedMeter> meter_of(EmulationMode mode, HandClock& clock,
                                               std::vector<EmulatedDeviceSetup> devices,
                                               HostCalibration host = {}) {
  return std::move(
      EmulatedMeter::make({mode, std::move(devices), std::move(host), 0, &clock}).value());
}

inline Access scan_of(std::uintptr_t offset, std::uint64_t bytes,
                      AccessKind kind = AccessKind::kRead) {
  return {at(offset), bytes / 8, 8, nullptr, bytes, kind, 0};
}

}  // namespace hdbench::testing
