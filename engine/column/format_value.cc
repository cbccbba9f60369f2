#include "engine/column/format_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string_view>

#include "engine/column/calendar.h"

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
  if (append_special(out, value)) return;
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
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

// The letter behind a list that says its type where its items do not.
std::string_view list_suffix(QType type, std::string_view shown) {
  switch (type) {
    case QType::kBoolean: return "b";
    case QType::kShort: return "h";
    case QType::kInt: return "i";
    case QType::kReal: return "e";
    case QType::kMonth: return "m";
    case QType::kFloat: return shown.find_first_of(".ewn") == std::string_view::npos ? "f" : "";
    default: break;
  }
  static constexpr std::string_view kLetters = "pmdznuvt";  // from kTimestamp on
  if (!is_temporal(type) || shown.find_first_of(".:") != std::string_view::npos) return "";
  return kLetters.substr(static_cast<std::size_t>(type) - 12, 1);
}

std::string_view item_text(std::span<const std::byte> item) {
  return {reinterpret_cast<const char*>(item.data()), item.size()};
}

// A number or a time, its null and its infinities as q's literals.
void append_element(std::string& out, QType type, std::span<const std::byte> item, Digits digits) {
  const std::size_t begin = out.size();
  append_shown(out, type, static_cast<std::uint32_t>(item.size()), item.data(), nullptr, digits);
  if (out.size() == begin) out += type == QType::kFloat ? "0n" : "0N";
  if (out.back() == 'w' && type != QType::kFloat) out.back() = 'W';
}

void append_string(std::string& out, std::string_view text, std::size_t bytes_max) {
  out += '"';
  for (const char c : text) {
    if (out.size() > bytes_max) {
      out += "..";
      break;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
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

std::optional<std::string> padded_date(std::string_view text) {
  std::string padded;
  std::size_t fields = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++fields) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view field = text.substr(begin, end - begin);
    const bool is_number = field.find_first_not_of("0123456789") == field.npos;
    const std::size_t digits = fields == 0 ? 4 : 2;
    const std::size_t digits_min = fields == 0 ? 4 : 1;
    if (!is_number || field.size() < digits_min || field.size() > digits) return std::nullopt;
    if (fields > 0) padded += '.';
    padded += std::string(digits - field.size(), '0');
    padded += field;
    begin = end + 1;
  }
  if (fields < 2 || fields > 3 || padded == text) return std::nullopt;
  return padded;
}

void append_item(std::string& out, std::uint8_t kind, std::span<const std::byte> item) {
  if (kind == kSymbolsType) {
    out += item_text(item);
  } else {
    append_value(out, static_cast<QType>(kind), static_cast<std::uint32_t>(item.size()),
                 item.data(), nullptr);
  }
}

void append_literal(std::string& out, const NestedCell& cell, Digits digits,
                    std::size_t bytes_max) {
  const std::string_view text = item_text({cell.data, cell.bytes()});
  const auto type = static_cast<QType>(cell.kind);
  const bool symbols = cell.kind == kSymbolsType;
  if (cell.kind == kShownCell) {
    out += text;
    return;
  }
  const auto items = symbols ? std::count(text.begin(), text.end(), '\0') : cell.count;
  if (items == 1 && !cell.is_atom) out += ',';
  if (type == QType::kChar) return append_string(out, text, bytes_max);
  if (items == 0) {
    out += fmt::format("`{}$()", symbols ? "symbol" : type_name(type));
    return;
  }
  const bool is_joined = symbols || type == QType::kBoolean || type == QType::kByte;
  const std::size_t begin = out.size();
  if (type == QType::kByte) out += "0x";
  bool is_first = true;
  bool is_whole = true;
  each_item(cell, [&](std::span<const std::byte> item) {
    is_whole = out.size() <= bytes_max;
    if (!is_whole) return false;
    if (!is_first && !is_joined) out += ' ';
    is_first = false;
    if (symbols) {
      (out += '`') += item_text(item);
    } else {
      append_element(out, type, item, digits);
    }
    return true;
  });
  if (!symbols && is_whole) out += list_suffix(type, std::string_view(out).substr(begin));
  if (!is_whole) out += "..";
}

}  // namespace hdbench
