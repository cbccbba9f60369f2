#include "queries/temporal_word.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "engine/column/calendar.h"
#include "queries/ascii.h"
#include "queries/literal/literal.h"
#include "queries/time_units.h"
#include "queries/type_text.h"
namespace hdbench::queries {
namespace {

using Value = std::variant<std::int64_t, double>;

// A time of day taken apart; fields that are not written are 0.
struct Clock {
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
  std::int64_t fraction_ns = 0;

  std::int64_t ns() const {
    return (hours * 3600 + minutes * 60 + seconds) * kNsPerSecond + fraction_ns;
  }
};

// How a clock is written: 09 is 1 field, 09:30 2, 09:30:00 3; decimals after the seconds.
struct ClockShape {
  int fields = 0;
  std::size_t decimals = 0;
  bool has_point = false;
};

std::optional<ClockShape> clock_shape(std::string_view text) {
  ClockShape shape;
  const std::size_t point = text.find('.');
  if (point != text.npos) {
    const std::string_view decimals = text.substr(point + 1);
    if (decimals.size() > 9 || (!decimals.empty() && !all_digits(decimals))) return std::nullopt;
    shape.has_point = true;
    shape.decimals = decimals.size();
    text = text.substr(0, point);
  }
  while (true) {
    const std::size_t colon = text.find(':');
    const std::string_view field = text.substr(0, colon);
    const std::size_t digits_max = shape.fields == 0 ? 3 : 2;
    if (!all_digits(field) || field.size() > digits_max) return std::nullopt;
    if (shape.fields > 0 && field.size() != 2) return std::nullopt;
    ++shape.fields;
    if (colon == text.npos) break;
    text = text.substr(colon + 1);
  }
  if (shape.fields > 3 || (shape.has_point && shape.fields != 3)) return std::nullopt;
  return shape;
}

std::int64_t to_integer(std::string_view digits) {
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// Requires: the text has a clock's shape, or is empty. Nothing where minutes or seconds pass 59.
std::optional<Clock> read_clock(std::string_view text) {
  Clock clock;
  const std::size_t point = text.find('.');
  if (point != text.npos) {
    std::string decimals(text.substr(point + 1));
    decimals.resize(9, '0');
    clock.fraction_ns = to_integer(decimals);
    text = text.substr(0, point);
  }
  for (std::int64_t* field : {&clock.hours, &clock.minutes, &clock.seconds}) {
    const std::size_t colon = text.find(':');
    *field = to_integer(text.substr(0, colon));
    if (colon == text.npos) break;
    text = text.substr(colon + 1);
  }
  if (clock.minutes > 59 || clock.seconds > 59) return std::nullopt;
  return clock;
}

bool is_date(std::string_view word) {
  return word.size() == 10 && word[4] == '.' && word[7] == '.' && all_digits(word.substr(0, 4)) &&
         all_digits(word.substr(5, 2)) && all_digits(word.substr(8, 2));
}

bool is_month(std::string_view word) {
  return word.size() == 8 && word[4] == '.' && word[7] == 'm' && all_digits(word.substr(0, 4)) &&
         all_digits(word.substr(5, 2));
}

std::optional<std::int64_t> read_date(std::string_view word) {
  const CivilDate date{to_integer(word.substr(0, 4)),
                       static_cast<int>(to_integer(word.substr(5, 2))),
                       static_cast<int>(to_integer(word.substr(8, 2)))};
  if (date.year == 0 || !is_civil_date(date)) return std::nullopt;
  return days_from_civil(date);
}

Error no_such(std::string_view word, std::string_view what) {
  return usage_error(fmt::format("{} is not a {}", word, what));
}

Error out_of_range(std::string_view word, QType type) {
  return usage_error(fmt::format("{} does not fit {}", word, a_type(type)));
}

// The letter that parts a date (or days) from a clock.
std::size_t separator(std::string_view word) { return word.find_first_of("DT"); }

Result<Value> read_instant(std::string_view word, QType type) {
  const std::size_t part = separator(word);
  const auto days = read_date(word.substr(0, part));
  if (!days) return no_such(word, "day of the calendar");
  const auto clock = read_clock(word.substr(part + 1));
  if (!clock || clock->hours > 23) return no_such(word, "time of day");
  const std::int64_t ns = clock->ns();
  if (type == QType::kDatetime) {
    const std::int64_t ms = ns / kNsPerMs;
    return Value(static_cast<double>(*days) +
                 static_cast<double>(ms) / static_cast<double>(kMsPerDay));
  }
  const auto value = timestamp_ns(*days, ns);
  if (!value || *value == kNullLong || *value == kInfinity || *value == -kInfinity) {
    return out_of_range(word, type);
  }
  return Value(*value);
}

// Timespans, times, seconds and minutes: they alone may be negative.
Result<Value> read_span(std::string_view word, QType type) {
  const bool is_negative = word.front() == '-';
  const std::string_view body = word.substr(is_negative ? 1 : 0);
  const std::size_t part = separator(body);
  const std::string_view days_text = part == body.npos ? "0" : body.substr(0, part);
  const std::string_view clock_text = part == body.npos ? body : body.substr(part + 1);
  const auto clock = read_clock(clock_text);
  if (!clock || (part != body.npos && clock->hours > 23)) return no_such(word, "time");
  std::int64_t value = 0;
  if (days_text.size() > 6 || __builtin_mul_overflow(to_integer(days_text), kNsPerDay, &value) ||
      __builtin_add_overflow(value, clock->ns(), &value)) {
    return out_of_range(word, type);
  }
  value /= span_unit_ns(type);
  const std::int64_t limit = type == QType::kTimespan ? kInfinity : kInfiniteInt;
  if (value >= limit) return out_of_range(word, type);
  return Value(is_negative ? -value : value);
}

std::optional<QType> clock_type(std::string_view text) {
  const auto shape = clock_shape(text);
  if (!shape || shape->fields == 1) return std::nullopt;
  if (shape->fields == 2) return QType::kMinute;
  if (!shape->has_point) return QType::kSecond;
  return shape->decimals <= 3 ? QType::kTime : QType::kTimespan;
}

}  // namespace

std::optional<QType> temporal_type(std::string_view word) {
  const bool is_negative = !word.empty() && word.front() == '-';
  const std::string_view body = word.substr(is_negative ? 1 : 0);
  const std::size_t part = separator(body);
  if (part == body.npos) {
    if (is_date(body) && !is_negative) return QType::kDate;
    if (is_month(body) && !is_negative) return QType::kMonth;
    return clock_type(body);
  }
  const std::string_view left = body.substr(0, part);
  const std::string_view right = body.substr(part + 1);
  const auto clock = right.empty() ? ClockShape{} : clock_shape(right);
  if (!clock) return std::nullopt;
  if (is_date(left) && !is_negative) {
    if (body[part] == 'D') return QType::kTimestamp;
    return clock->decimals <= 3 ? std::optional(QType::kDatetime) : std::nullopt;
  }
  return all_digits(left) && body[part] == 'D' ? std::optional(QType::kTimespan) : std::nullopt;
}

Result<Value> read_temporal(std::string_view word, QType type) {
  switch (type) {
    case QType::kDate: {
      const auto days = read_date(word);
      if (!days) return no_such(word, "day of the calendar");
      return Value(*days);
    }
    case QType::kMonth: {
      const std::int64_t year = to_integer(word.substr(0, 4));
      const std::int64_t month = to_integer(word.substr(5, 2));
      if (year == 0 || month < 1 || month > 12) return no_such(word, "month of the calendar");
      return Value((year - 2000) * 12 + month - 1);
    }
    case QType::kTimestamp:
    case QType::kDatetime: return read_instant(word, type);
    default: return read_span(word, type);
  }
}

}  // namespace hdbench::queries
