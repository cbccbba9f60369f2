// Operations on one element or two: nulls, conversions, arithmetic, comparisons.
//
// Included by arithmetic.cc after foreach_target.h, once a target: hence the guard that toggles.
#if defined(HDBENCH_EXPRESSION_OPERATIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HDBENCH_EXPRESSION_OPERATIONS_INL_H
#undef HDBENCH_EXPRESSION_OPERATIONS_INL_H
#else
#define HDBENCH_EXPRESSION_OPERATIONS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/column/calendar.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

using Byte = std::uint8_t;

struct Wide {
  std::uint64_t words[2];
  bool operator==(const Wide&) const = default;
};

template <typename T>
constexpr T null_of() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
  if constexpr (std::is_signed_v<T>) return std::numeric_limits<T>::min();
  return T{};
}

template <typename T>
bool is_null(T value) {
  if constexpr (std::is_same_v<T, Wide>) return value == Wide{};
  if constexpr (std::is_floating_point_v<T>) return value != value;
  if constexpr (std::is_signed_v<T>) return value == std::numeric_limits<T>::min();
  return false;
}

// Without a branch.
constexpr bool either(bool a, bool b) { return (static_cast<int>(a) | static_cast<int>(b)) != 0; }
constexpr bool both(bool a, bool b) { return (static_cast<int>(a) & static_cast<int>(b)) != 0; }

template <typename T>
T element(const std::byte* elements, std::size_t i) {
  T value;
  std::memcpy(&value, elements + i * sizeof(T), sizeof(T));
  return value;
}

// Integers as they are added and multiplied: they wrap.
template <typename T>
auto bits_of(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}

// The integer result of two that may be null.
template <typename T, typename Bits>
T unless_null(T a, T b, Bits result) {
  return either(is_null(a), is_null(b)) ? null_of<T>() : static_cast<T>(result);
}

// Downwards. Requires: integers, y != 0, neither null. An int's quotient is exact as a double's.
template <typename T>
T floor_quotient(T x, T y) {
  if constexpr (sizeof(T) <= 4) {
    return static_cast<T>(std::floor(static_cast<double>(x) / static_cast<double>(y)));
  } else {
    const T quotient = x / y;
    return quotient - (both(x % y != 0, (x ^ y) < 0) ? 1 : 0);
  }
}

// A whole number as an integer; what is too large as an infinity.
template <typename T>
T whole_to(double value) {
  constexpr double kBound = 2 * static_cast<double>(std::int64_t{1} << (8 * sizeof(T) - 2));
  constexpr T kMost = std::numeric_limits<T>::max();
  const bool is_inside = both(value<kBound, value> - kBound);
  const T inside = static_cast<T>(is_inside ? value : 0);
  const T outside = value < 0 ? static_cast<T>(-kMost) : kMost;
  return is_null(value) ? null_of<T>() : is_inside ? inside : outside;
}

template <typename T>
struct ConvertTo {
  template <typename F>
  static T of(F value) {
    constexpr bool kWidens =
        std::is_floating_point_v<T> ||
        (!std::is_floating_point_v<F> && sizeof(T) > sizeof(F) && sizeof(F) > 1);
    constexpr bool kIsPromoted = std::is_same_v<F, float> && std::is_same_v<T, double>;
    if constexpr (std::is_same_v<F, T> || kIsPromoted) {
      return value;
    } else if constexpr (kWidens) {
      return is_null(value) ? null_of<T>() : static_cast<T>(value);
    } else if constexpr (std::is_floating_point_v<F>) {
      const double number = value;
      const double floor = std::floor(number);
      return whole_to<T>(floor + (number - floor >= 0.5 ? 1 : 0));
    } else if constexpr (sizeof(T) == 1 || sizeof(F) == 1) {
      return static_cast<T>(value);
    } else {
      constexpr F kMost = std::numeric_limits<T>::max();
      const F inside = std::min(std::max(value, F{-kMost}), kMost);
      return is_null(value) ? null_of<T>() : static_cast<T>(inside);
    }
  }
};
// As arithmetic of shorts wraps.
struct WrapToShort {
  static std::int16_t of(std::int32_t value) {
    return is_null(value) ? null_of<std::int16_t>() : static_cast<std::int16_t>(value);
  }
};

struct Add {
  template <typename T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return unless_null(a, b, bits_of(a) + bits_of(b));
  }
};
struct Subtract {
  template <typename T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return unless_null(a, b, bits_of(a) - bits_of(b));
  }
};
struct Multiply {
  template <typename T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return unless_null(a, b, bits_of(a) * bits_of(b));
  }
};
struct Divide {
  static double of(double a, double b) { return a / b; }
};

struct Equal {
  template <typename T>
  static bool of(T a, T b) {
    return either(a == b, both(is_null(a), is_null(b)));
  }
};
struct Less {
  template <typename T>
  static bool of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return either(a < b, both(is_null(a), !is_null(b)));
    else
      return a < b;
  }
};
struct Lesser {
  template <typename T>
  static T of(T a, T b) {
    return Less::of(b, a) ? b : a;
  }
};
struct Greater {
  template <typename T>
  static T of(T a, T b) {
    return Less::of(a, b) ? b : a;
  }
};
struct Fill {
  template <typename T>
  static T of(T a, T b) {
    return is_null(b) ? a : b;
  }
};
struct And {
  static Byte of(Byte a, Byte b) { return a & b; }
};
struct Or {
  static Byte of(Byte a, Byte b) { return a | b; }
};

// x div y for what represents it where y is 0 or one of them is null: 0.
template <typename T>
T safe_quotient(T x, T y) {
  const bool is_odd = either(either(is_null(x), is_null(y)), y == 0);
  if constexpr (sizeof(T) <= 4)
    return floor_quotient(is_odd ? T{0} : x, is_odd ? T{1} : y);
  else
    return is_odd ? T{0} : floor_quotient(x, y);
}
struct IntegerDivide {
  template <typename T>
  static T of(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return y == 0 ? null_of<T>() : std::floor(x / y);
    else
      return y == 0 ? null_of<T>() : unless_null(x, y, safe_quotient(x, y));
  }
};
struct Modulo {
  template <typename T>
  static T of(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return y == 0 ? x : x - y * std::floor(x / y);
    else
      return unless_null(x, y, bits_of(x) - bits_of(y) * bits_of(safe_quotient(x, y)));
  }
};
struct Bar {
  template <typename T>
  static T of(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return x == 0 ? y : x * std::floor(y / x);
    else
      return x == 0 ? y : unless_null(x, y, bits_of(x) * bits_of(safe_quotient(y, x)));
  }
};

struct Negate {
  template <typename T>
  static T of(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return -a;
    else
      return static_cast<T>(0 - bits_of(a));  // a null stays
  }
};
struct Absolute {
  template <typename T>
  static T of(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(a);
    else
      return a < 0 ? Negate::of(a) : a;
  }
};
struct SquareRoot {
  static double of(double a) { return std::sqrt(a); }
};
struct Exponential {
  static double of(double a) { return std::exp(a); }
};
struct Logarithm {
  static double of(double a) { return std::log(a); }
};
struct Reciprocal {
  static double of(double a) { return 1 / a; }
};
struct Floor {
  static std::int64_t of(double value) { return whole_to<std::int64_t>(std::floor(value)); }
};
struct Ceiling {
  static std::int64_t of(double value) { return whole_to<std::int64_t>(std::ceil(value)); }
};
struct Signum {
  template <typename T>
  static std::int32_t of(T a) {
    return (a > 0 ? 1 : 0) - (either(a < 0, is_null(a)) ? 1 : 0);
  }
};
struct Not {
  template <typename T>
  static bool of(T a) {
    return a == 0;
  }
};
struct IsNull {
  template <typename T>
  static bool of(T a) {
    return is_null(a);
  }
};
struct IsBlank {
  static bool of(Byte a) { return a == ' '; }
};
struct MonthOfDate {
  static std::int32_t of(std::int32_t date) {
    if (is_null(date)) return date;
    const CivilDate civil = civil_from_days(date);
    return static_cast<std::int32_t>((civil.year - 2000) * 12 + civil.month - 1);
  }
};
struct DateOfMonth {
  static std::int32_t of(std::int32_t month) {
    if (is_null(month)) return month;
    const std::int64_t months = month;
    const std::int64_t years = floor_quotient(months, std::int64_t{12});
    const auto month_of_year = static_cast<std::int32_t>(months - 12 * years + 1);
    const std::int64_t days = days_from_civil({2000 + years, month_of_year});
    return ConvertTo<std::int32_t>::of(days);
  }
};

}  // namespace
}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
