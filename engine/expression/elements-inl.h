// The elements of blocks as operations on them read and write them, for the sources of arithmetic
// that are compiled once a target: nulls, conversions, and the loop over a block.
//
// Included after foreach_target.h, once a target: hence the guard that toggles.
#if defined(HDBENCH_EXPRESSION_ELEMENTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HDBENCH_EXPRESSION_ELEMENTS_INL_H
#undef HDBENCH_EXPRESSION_ELEMENTS_INL_H
#else
#define HDBENCH_EXPRESSION_ELEMENTS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/column/type.h"
#include "engine/expression/arithmetic.h"

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
  if constexpr (sizeof(T) == 8) return static_cast<std::uint64_t>(value);
  if constexpr (sizeof(T) < 8) return static_cast<std::uint32_t>(value);
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
  if constexpr (sizeof(T) == 1) {
    return static_cast<T>(whole_to<std::int32_t>(value == value ? value : 0));
  } else {
    constexpr double kBound = 2 * static_cast<double>(std::int64_t{1} << (8 * sizeof(T) - 2));
    constexpr T kMost = std::numeric_limits<T>::max();
    const bool is_inside = both(value<kBound, value> - kBound);
    const T inside = static_cast<T>(is_inside ? value : 0);
    const T outside = value < 0 ? static_cast<T>(-kMost) : kMost;
    return is_null(value) ? null_of<T>() : is_inside ? inside : outside;
  }
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
// Calls work(i) for each element.
template <typename Work>
HWY_INLINE void each_element(const ArithmeticStep& step, const Work& work) {
  const std::size_t count = step.count;
  LinesAhead* const ahead = step.ahead;
  std::size_t i = 0;
  for (; i + kStepStrip <= count; i += kStepStrip) {
    if (ahead != nullptr) ahead->fetch();
    for (std::size_t k = i; k < i + kStepStrip; ++k) work(k);
  }
  for (; i < count; ++i) work(i);
}

template <typename T>
struct Element {};

// Calls work(Element<T>) for the type of a column's elements: numbers alone.
template <typename Work>
void with_element(QType type, const Work& work) {
  if (type == QType::kReal) return work(Element<float>());
  if (is_floating(type)) return work(Element<double>());
  switch (type_width(type)) {
    case 1: return work(Element<Byte>());
    case 2: return work(Element<std::int16_t>());
    case 4: return work(Element<std::int32_t>());
    case 8: return work(Element<std::int64_t>());
    default: HDB_CHECK(false, "the binder lets only fitting types through");
  }
}

}  // namespace
}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
