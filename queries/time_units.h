// The units in which q counts days and times.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "engine/column/type.h"

namespace hdbench::queries {

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

// Nanoseconds since 2000.01.01 of a day and the nanoseconds after it; nothing on overflow.
// Requires: 0 <= ns < kNsPerDay.
constexpr std::optional<std::int64_t> timestamp_ns(std::int64_t days, std::int64_t ns) {
  // Dates before 2000 are computed from the end of their day: the start of the earliest day can
  // overflow although the timestamp does not.
  const bool is_before = days < 0;
  std::int64_t value = 0;
  if (__builtin_mul_overflow(is_before ? days + 1 : days, kNsPerDay, &value) ||
      __builtin_add_overflow(value, is_before ? ns - kNsPerDay : ns, &value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace hdbench::queries
