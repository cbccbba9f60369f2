#include "engine/column/format_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <span>

#include "engine/column/calendar.h"
#include "engine/column/column.h"
#include "engine/column/element_key.h"
#include "engine/column/nested_text.h"

namespace hdbench {
namespace {

constexpr std::int64_t kNsPerDay = 86'400'000'000'000;
constexpr std::int64_t kMsPerDay = 86'400'000;

// Null and the two infinities, which every integer type keeps at its ends.
template <typename T>
bool append_special(std::string& out, T value) {
  if (value == std::numeric_limits<T>::min()) return true;
  if (value == std::numeric_limits<T>::max()) {
    out += "0W";
    return true;
  }
  if (value == -std::numeric_limits<T>::max()) {
    out += "-0W";
    return true;
  }
  return false;
}

template <typename T>
void append_integer(std::string& out, const std::byte* element) {
  const T value = load_element<T>(element);
  if (!append_special(out, value)) fmt::format_to(std::back_inserter(out), "{}", value);
}

template <typename T>
void append_float(std::string& out, const std::byte* element) {
  const T value = load_element<T>(element);
  if (std::isnan(value)) return;
  if (std::isinf(value)) {
    out += value < 0 ? "-0w" : "0w";
    return;
  }
  fmt::format_to(std::back_inserter(out), "{}", value);
}

void append_date(std::string& out, std::int64_t days) {
  const CivilDate date = civil_from_days(days);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) {
  const std::int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

// From 0 up, and without the product, which overflows where the value is near the least.
std::int64_t floor_rest(std::int64_t value, std::int64_t divisor) {
  const std::int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

// hh:mm:ss of a count of seconds, with hours unbounded.
void append_clock(std::string& out, std::int64_t seconds) {
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60,
                 seconds % 60);
}

void append_timestamp(std::string& out, std::int64_t ns) {
  const std::int64_t days = floor_divide(ns, kNsPerDay);
  const std::int64_t rest = floor_rest(ns, kNsPerDay);
  append_date(out, days);
  out += 'D';
  append_clock(out, rest / 1'000'000'000);
  fmt::format_to(std::back_inserter(out), ".{:09}", rest % 1'000'000'000);
}

void append_timespan(std::string& out, std::int64_t ns) {
  if (ns < 0) out += '-';
  const std::int64_t size = std::abs(ns);
  fmt::format_to(std::back_inserter(out), "{}D", size / kNsPerDay);
  append_clock(out, size % kNsPerDay / 1'000'000'000);
  fmt::format_to(std::back_inserter(out), ".{:09}", size % 1'000'000'000);
}

void append_datetime(std::string& out, double days) {
  if (std::isnan(days)) return;
  // Beyond this no calendar reaches; infinities come here too.
  constexpr double kDaysMax = 1e9;
  if (std::abs(days) > kDaysMax) {
    out += days < 0 ? "-0w" : "0w";
    return;
  }
  const auto ms = static_cast<std::int64_t>(std::llround(days * static_cast<double>(kMsPerDay)));
  const std::int64_t whole = floor_divide(ms, kMsPerDay);
  const std::int64_t rest = ms - whole * kMsPerDay;
  append_date(out, whole);
  out += 'T';
  append_clock(out, rest / 1000);
  fmt::format_to(std::back_inserter(out), ".{:03}", rest % 1000);
}

void append_month(std::string& out, std::int64_t months) {
  const std::int64_t years = floor_divide(months, 12);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}", 2000 + years, months - years * 12 + 1);
}

void append_temporal32(std::string& out, QType type, std::int32_t value) {
  if (append_special(out, value)) return;
  if (type == QType::kDate) return append_date(out, value);
  if (type == QType::kMonth) return append_month(out, value);
  if (value < 0) out += '-';
  const std::int64_t size = std::abs(std::int64_t{value});
  if (type == QType::kMinute) {
    fmt::format_to(std::back_inserter(out), "{:02}:{:02}", size / 60, size % 60);
  } else if (type == QType::kSecond) {
    append_clock(out, size);
  } else {
    append_clock(out, size / 1000);
    fmt::format_to(std::back_inserter(out), ".{:03}", size % 1000);
  }
}

void append_guid(std::string& out, const std::byte* element) {
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    fmt::format_to(std::back_inserter(out), "{:02x}", std::to_integer<unsigned>(element[i]));
  }
}

void append_symbol(std::string& out, std::uint64_t code, const Domain* domain) {
  if (domain != nullptr && code < domain->size()) {
    out += domain->text(code);
  } else {
    fmt::format_to(std::back_inserter(out), "#{}", code);
  }
}

std::uint64_t load_code(std::uint32_t width, const std::byte* element) {
  switch (width) {
    case 1: return load_element<std::uint8_t>(element);
    case 2: return load_element<std::uint16_t>(element);
    case 4: return load_element<std::uint32_t>(element);
    default: return load_element<std::uint64_t>(element);
  }
}

void append_nested(std::string& out, const NestedCell& cell) {
  if (cell.kind == static_cast<std::uint8_t>(QType::kChar) || cell.kind == kShownCell) {
    out.append(reinterpret_cast<const char*>(cell.data), cell.count);
    return;
  }
  bool is_first = true;
  each_item(cell, [&](std::span<const std::byte> item) {
    if (!is_first) out += ' ';
    is_first = false;
    append_item(out, cell.kind, item);
    return true;
  });
}

// q's console writes 2020.01.07 where its csv writes 2020-01-07.
bool starts_with_date(QType type) {
  return type == QType::kDate || type == QType::kMonth || type == QType::kTimestamp ||
         type == QType::kDatetime;
}

// Nothing for a value that is no float, or null or infinite.
std::optional<double> finite_float(QType type, const std::byte* element) {
  double value = std::numeric_limits<double>::infinity();
  if (type == QType::kFloat) value = load_element<double>(element);
  if (type == QType::kReal) value = load_element<float>(element);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

void append_value(std::string& out, QType type, std::uint32_t width, const std::byte* element,
                  const Domain* domain) {
  switch (type) {
    case QType::kNested: return append_nested(out, load_element<NestedCell>(element));
    case QType::kBoolean: out += load_element<std::uint8_t>(element) != 0 ? '1' : '0'; return;
    case QType::kGuid: return append_guid(out, element);
    case QType::kByte:
      fmt::format_to(std::back_inserter(out), "{:02x}", load_element<std::uint8_t>(element));
      return;
    case QType::kShort: return append_integer<std::int16_t>(out, element);
    case QType::kInt: return append_integer<std::int32_t>(out, element);
    case QType::kLong: return append_integer<std::int64_t>(out, element);
    case QType::kReal: return append_float<float>(out, element);
    case QType::kFloat: return append_float<double>(out, element);
    case QType::kChar: out += load_element<char>(element); return;
    case QType::kTimestamp:
    case QType::kTimespan: {
      const auto ns = load_element<std::int64_t>(element);
      if (append_special(out, ns)) return;
      return type == QType::kTimestamp ? append_timestamp(out, ns) : append_timespan(out, ns);
    }
    case QType::kDatetime: return append_datetime(out, load_element<double>(element));
    case QType::kMonth:
    case QType::kDate:
    case QType::kMinute:
    case QType::kSecond:
    case QType::kTime: return append_temporal32(out, type, load_element<std::int32_t>(element));
    case QType::kSymbol: return append_symbol(out, load_code(width, element), domain);
  }
}

void append_shown(std::string& out, QType type, std::uint32_t width, const std::byte* element,
                  const Domain* domain, Digits digits) {
  const std::size_t begin = out.size();
  const auto value = digits == Digits::kSeven ? finite_float(type, element) : std::nullopt;
  if (value) {
    fmt::format_to(std::back_inserter(out), "{:.7g}", *value);
    return;
  }
  append_value(out, type, width, element, domain);
  // A sign stays: of an infinity, or of a year before 0. A time has none.
  if (!starts_with_date(type) || out.size() == begin) return;
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(begin) + 1, out.end(), '-', '.');
}

std::string partition_name(QType type, std::int64_t value) {
  if (type == QType::kDate) {
    const CivilDate date = civil_from_days(value);
    return fmt::format("{:04}.{:02}.{:02}", date.year, date.month, date.day);
  }
  if (type == QType::kMonth) {
    const std::int64_t years = floor_divide(value, 12);
    return fmt::format("{:04}.{:02}", 2000 + years, value - years * 12 + 1);
  }
  return fmt::format("{}", value);
}

}  // namespace hdbench
