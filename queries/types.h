// The types of q as queries see them: names in messages, families, units of time.
//
// Types of one family compare: numbers (with booleans and bytes); dates, months, timestamps and
// datetimes; timespans, times, seconds and minutes; chars, symbols and guids each form one family.
// Across families an integer compares with a temporal, and a timestamp with a time of day.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "engine/column/type.h"

namespace hdbench::queries {

// "a long", "an int".
inline std::string a_type(QType type) {
  const std::string_view name = type_name(type);
  return std::string(name.front() == 'i' ? "an " : "a ").append(name);
}

enum class TypeFamily { kNumber, kInstant, kSpan, kChar, kSymbol, kGuid, kList };

constexpr TypeFamily family_of(QType type) {
  switch (type) {
    case QType::kBoolean:
    case QType::kByte:
    case QType::kShort:
    case QType::kInt:
    case QType::kLong:
    case QType::kReal:
    case QType::kFloat: return TypeFamily::kNumber;
    case QType::kTimestamp:
    case QType::kMonth:
    case QType::kDate:
    case QType::kDatetime: return TypeFamily::kInstant;
    case QType::kTimespan:
    case QType::kMinute:
    case QType::kSecond:
    case QType::kTime: return TypeFamily::kSpan;
    case QType::kChar: return TypeFamily::kChar;
    case QType::kSymbol: return TypeFamily::kSymbol;
    case QType::kGuid: return TypeFamily::kGuid;
    case QType::kNested: return TypeFamily::kList;
  }
  return TypeFamily::kList;
}

constexpr bool is_a_number(QType type) { return family_of(type) == TypeFamily::kNumber; }
constexpr bool is_span(QType type) { return family_of(type) == TypeFamily::kSpan; }
constexpr bool is_integer(QType type) {
  return type == QType::kShort || type == QType::kInt || type == QType::kLong;
}

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
