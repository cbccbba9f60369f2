// The units in which q counts days and times.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/column/type.h"

namespace hdbench {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kMsPerDay = 86'400'000;
constexpr std::int64_t kNsPerDay = 86'400 * kNsPerSecond;

// 0Wi, and the infinity of every temporal type of 32 bits.
constexpr std::int64_t kInfiniteInt = std::numeric_limits<std::int32_t>::max();

// Nanoseconds in one step of a timespan, time, second or minute.
constexpr std::int64_t span_unit_ns(QType type) {
  switch (type) {
    case QType::kMinute: return 60 * kNsPerSecond;
    case QType::kSecond: return kNsPerSecond;
    case QType::kTime: return kNsPerMs;
    default: return 1;
  }
}

}  // namespace hdbench
