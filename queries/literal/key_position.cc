#include "queries/literal/key_position.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/column/calendar.h"
#include "engine/column/order_key.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t kKeyMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kKeyMax = std::numeric_limits<std::int64_t>::max();
constexpr double kTwoTo63 = 9223372036854775808.0;

// The keys that a column can hold, and whether the least of them is the null.
struct KeyLimits {
  std::int64_t low = kKeyMin;
  std::int64_t high = kKeyMax;
  bool has_null = true;
};

KeyLimits key_limits(QType type) {
  if (is_floating(type)) return {kKeyMin, float_order_key(std::numeric_limits<double>::infinity())};
  if (type == QType::kBoolean) return {0, 1, false};
  switch (type_width(type)) {
    case 1: return {0, 255, false};
    case 2: return {kNullShort, std::numeric_limits<std::int16_t>::max()};
    case 4: return {kNullInt, std::numeric_limits<std::int32_t>::max()};
    default: return {};
  }
}

KeyPosition place_null(const KeyLimits& limits) {
  if (limits.has_null) return {limits.low, true, false};
  return {0, false, true};
}

// A value among integers. Only the null lies below the values of a column that has one.
KeyPosition place_integer(const KeyLimits& limits, std::int64_t value) {
  const std::int64_t least = limits.has_null ? limits.low + 1 : limits.low;
  if (value < least) return {limits.low, false, !limits.has_null};
  if (value > limits.high) return {limits.high, false, false};
  return {value, true, false};
}

KeyPosition place_real_among_integers(const KeyLimits& limits, double value) {
  if (value != value) return place_null(limits);
  if (value >= kTwoTo63) return {limits.high, false, false};
  if (value < -kTwoTo63) return {limits.low, false, !limits.has_null};
  const double whole = std::floor(value);
  KeyPosition position = place_integer(limits, static_cast<std::int64_t>(whole));
  position.exact = position.exact && whole == value;
  return position;
}

KeyPosition place_integer_among_reals(std::int64_t value) {
  const auto nearest = static_cast<double>(value);
  const bool is_above = nearest >= kTwoTo63 || static_cast<std::int64_t>(nearest) > value;
  const bool is_exact = !is_above && static_cast<std::int64_t>(nearest) == value;
  const double floor =
      is_above ? std::nextafter(nearest, -std::numeric_limits<double>::infinity()) : nearest;
  return {float_order_key(floor), is_exact, false};
}

KeyPosition place_number(QType column, const Atom& atom) {
  const KeyLimits limits = key_limits(column);
  if (is_null(atom)) return place_null(limits);
  if (const auto* real = std::get_if<double>(&atom.value)) {
    if (is_floating(column)) return {float_order_key(*real), true, false};
    return place_real_among_integers(limits, *real);
  }
  const auto value = std::get<std::int64_t>(atom.value);
  return is_floating(column) ? place_integer_among_reals(value) : place_integer(limits, value);
}

// Rounds down, as / does not below zero.
std::int64_t floor_divide(std::int64_t value, std::int64_t unit) {
  return value / unit - (value % unit < 0 ? 1 : 0);
}

// What floor_divide leaves: 0 to unit - 1.
std::int64_t floor_modulo(std::int64_t value, std::int64_t unit) {
  const std::int64_t rest = value % unit;
  return rest < 0 ? rest + unit : rest;
}

// +1 or -1 for an infinite temporal, else 0.
int infinite_sign(const Atom& atom) {
  if (const auto* real = std::get_if<double>(&atom.value)) {
    return std::isinf(*real) ? (*real > 0 ? 1 : -1) : 0;
  }
  const auto value = std::get<std::int64_t>(atom.value);
  return value == kInfinity ? 1 : (value == -kInfinity ? -1 : 0);
}

// The key of an infinity in a temporal column.
std::int64_t infinity_key(QType column, int sign) {
  if (is_floating(column)) return float_order_key(sign * std::numeric_limits<double>::infinity());
  return sign * (type_width(column) == 4 ? kInfiniteInt : kInfinity);
}

// A finite value among the finite keys of a temporal column: beyond them only the infinities lie.
KeyPosition place_finite(QType column, std::int64_t floor, bool is_exact) {
  const std::int64_t infinite = infinity_key(column, 1);
  if (floor >= infinite) return {infinite - 1, false, false};
  if (floor <= -infinite) return {-infinite, false, false};
  return {floor, is_exact, false};
}

// A finite point in time: whole days since 2000.01.01 and the nanoseconds after them.
struct Instant {
  std::int64_t days = 0;
  std::int64_t ns = 0;
};

Instant instant_of(const Atom& atom) {
  if (const auto* real = std::get_if<double>(&atom.value)) {
    const auto ms = static_cast<std::int64_t>(std::llround(*real * static_cast<double>(kMsPerDay)));
    return {floor_divide(ms, kMsPerDay), floor_modulo(ms, kMsPerDay) * kNsPerMs};
  }
  const auto value = std::get<std::int64_t>(atom.value);
  if (atom.type == QType::kMonth) {
    const std::int64_t years = floor_divide(value, 12);
    return {days_from_civil({2000 + years, static_cast<int>(floor_modulo(value, 12)) + 1, 1}), 0};
  }
  if (atom.type == QType::kDate) return {value, 0};
  return {floor_divide(value, kNsPerDay), floor_modulo(value, kNsPerDay)};
}

KeyPosition place_instant(QType column, const Atom& atom) {
  if (is_null(atom)) return place_null(key_limits(column));
  if (const int sign = infinite_sign(atom)) return {infinity_key(column, sign), true, false};
  if (column == QType::kDatetime && atom.type == QType::kDatetime) {
    return {float_order_key(std::get<double>(atom.value)), true, false};
  }
  const Instant instant = instant_of(atom);
  switch (column) {
    case QType::kDate: return place_finite(column, instant.days, instant.ns == 0);
    case QType::kMonth: {
      const CivilDate date = civil_from_days(instant.days);
      return place_finite(column, (date.year - 2000) * 12 + date.month - 1,
                          date.day == 1 && instant.ns == 0);
    }
    case QType::kDatetime: {
      const double days = static_cast<double>(instant.days) +
                          static_cast<double>(instant.ns) / static_cast<double>(kNsPerDay);
      return {float_order_key(days), true, false};
    }
    default: {
      const auto ns = timestamp_ns(instant.days, instant.ns);
      if (ns) return place_finite(column, *ns, true);
      return place_finite(column, instant.days > 0 ? kKeyMax : -kKeyMax, false);
    }
  }
}

KeyPosition place_span(QType column, const Atom& atom) {
  if (is_null(atom)) return place_null(key_limits(column));
  if (const int sign = infinite_sign(atom)) return {infinity_key(column, sign), true, false};
  // Of a value that a query within gives, any int may be the minutes.
  const Wide ns = Wide{std::get<std::int64_t>(atom.value)} * span_unit_ns(atom.type);
  const Wide unit = span_unit_ns(column);
  const Wide rest = ns % unit;
  const Wide floor = ns / unit - (rest < 0 ? 1 : 0);
  if (floor > kKeyMax) return place_finite(column, kKeyMax, false);
  if (floor < -kKeyMax) return place_finite(column, -kKeyMax, false);
  return place_finite(column, static_cast<std::int64_t>(floor), rest == 0);
}

// Ends of a range, the literal's own key in it or not; nothing where no key can be within it.
using Bound = std::optional<std::int64_t>;

Bound from(const KeyPosition& position, bool includes_equal) {
  if (position.below_all) return kKeyMin;
  if (position.exact && includes_equal) return position.floor;
  return position.floor == kKeyMax ? Bound() : Bound(position.floor + 1);
}

Bound up_to(const KeyPosition& position, bool includes_equal) {
  if (position.below_all) return std::nullopt;
  if (!position.exact || includes_equal) return position.floor;
  return position.floor == kKeyMin ? Bound() : Bound(position.floor - 1);
}

RangeTest make_range(QType column, Bound low, Bound high) {
  const KeyLimits limits = key_limits(column);
  const bool is_empty = !low || !high || *low > *high || *low > limits.high || *high < limits.low;
  if (is_empty) return kEmptyRange;
  return {*low <= limits.low ? kKeyMin : *low, *high >= limits.high ? kKeyMax : *high};
}

}  // namespace

KeyPosition place(QType column, const Atom& atom) {
  if (family_of(atom.type) == TypeFamily::kNumber) return place_number(column, atom);
  switch (family_of(column)) {
    case TypeFamily::kInstant: return place_instant(column, atom);
    case TypeFamily::kSpan: return place_span(column, atom);
    case TypeFamily::kChar: return {std::get<std::int64_t>(atom.value), true, false};
    default: return place_number(column, atom);
  }
}

RangeTest range_of(Comparison comparison, QType column, const KeyPosition& low,
                   const KeyPosition& high) {
  switch (comparison) {
    case Comparison::kLess: return make_range(column, kKeyMin, up_to(low, false));
    case Comparison::kLessEqual: return make_range(column, kKeyMin, up_to(low, true));
    case Comparison::kGreater: return make_range(column, from(low, false), kKeyMax);
    case Comparison::kGreaterEqual: return make_range(column, from(low, true), kKeyMax);
    case Comparison::kWithin: return make_range(column, from(low, true), up_to(high, true));
    default: return low.exact ? RangeTest{low.floor, low.floor} : kEmptyRange;
  }
}

}  // namespace hdbench::queries
