#include "engine/expression/arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/column/calendar.h"
#include "engine/expression/divisor.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/expression/arithmetic.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

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

struct Equal {
  template <typename T>
  static bool of(T a, T b) {
    return either(a == b, both(is_null(a), is_null(b)));
  }
};
struct NotEqual {
  template <typename T>
  static bool of(T a, T b) {
    return !Equal::of(a, b);
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
struct LessEqual {
  template <typename T>
  static bool of(T a, T b) {
    return !Less::of(b, a);
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

// x div y for what stands for it where y is 0 or one of them is null: 0.
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
struct Divide {
  static double of(double a, double b) { return a / b; }
};
struct And {
  static Byte of(Byte a, Byte b) { return a & b; }
};
struct Or {
  static Byte of(Byte a, Byte b) { return a | b; }
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
struct Signum {
  template <typename T>
  static std::int32_t of(T a) {
    return (a > 0 ? 1 : 0) - (either(a < 0, is_null(a)) ? 1 : 0);
  }
};
struct Not {
  template <typename T>
  static Byte of(T a) {
    return a == 0;
  }
};
struct IsNull {
  template <typename T>
  static Byte of(T a) {
    return is_null(a);
  }
};
struct IsBlank {
  static Byte of(Byte a) { return a == ' '; }
};
struct IsTrue {
  template <typename T>
  static Byte of(T a) {
    return a != 0;
  }
};

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
struct Floor {
  template <typename F>
  static std::int64_t of(F value) {
    if constexpr (std::is_floating_point_v<F>)
      return whole_to<std::int64_t>(std::floor(static_cast<double>(value)));
    else
      return ConvertTo<std::int64_t>::of(value);
  }
};
struct Ceiling {
  template <typename F>
  static std::int64_t of(F value) {
    if constexpr (std::is_floating_point_v<F>)
      return whole_to<std::int64_t>(std::ceil(static_cast<double>(value)));
    else
      return ConvertTo<std::int64_t>::of(value);
  }
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

template <typename Op, typename F, typename T>
void each(const ArithmeticStep& step) {
  const std::byte* const a = step.arguments[0];
  T* HWY_RESTRICT const out = reinterpret_cast<T*>(step.out);
  each_element(step,
               [=](std::size_t i) HWY_ATTR { out[i] = static_cast<T>(Op::of(element<F>(a, i))); });
}

template <typename Op, typename F, typename T>
void each_pair(const ArithmeticStep& step) {
  const std::byte* const a = step.arguments[0];
  const std::byte* const b = step.arguments[1];
  T* HWY_RESTRICT const out = reinterpret_cast<T*>(step.out);
  each_element(step, [=](std::size_t i) HWY_ATTR {
    out[i] = static_cast<T>(Op::of(element<F>(a, i), element<F>(b, i)));
  });
}

template <typename T>
void choose_each(const ArithmeticStep& step) {
  const auto [c, a, b] = step.arguments;
  T* HWY_RESTRICT const out = reinterpret_cast<T*>(step.out);
  for (std::size_t i = 0, count = step.count; i < count; ++i) {
    const T x = element<T>(a, i);
    const T y = element<T>(b, i);
    out[i] = element<Byte>(c, i) != 0 ? x : y;
  }
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

// To the arguments' own type.
template <typename Op>
struct Same {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    each<Op, T, T>(step);
  }
};
template <typename Op>
struct SamePair {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    each_pair<Op, T, T>(step);
  }
};
template <typename Op, typename R>
struct To {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    each<Op, T, R>(step);
  }
};
template <typename Op>
struct PairToBoolean {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    each_pair<Op, T, Byte>(step);
  }
};
struct Choose {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    choose_each<T>(step);
  }
};
struct Convert {
  const ArithmeticStep& step;
  template <typename T>
  struct Into {
    const ArithmeticStep& step;
    template <typename F>
    void operator()(Element<F>) const {
      each<ConvertTo<T>, F, T>(step);
    }
  };
  template <typename T>
  void operator()(Element<T>) const {
    with_element(step.from, Into<T>{step});
  }
};

template <typename Op>
void same(const ArithmeticStep& step) {
  with_element(step.from, Same<Op>{step});
}
template <typename Op>
void same_pair(const ArithmeticStep& step) {
  with_element(step.from, SamePair<Op>{step});
}
template <typename Op, typename R>
void unary_to(const ArithmeticStep& step) {
  with_element(step.from, To<Op, R>{step});
}
template <typename Op>
void pair_to_boolean(const ArithmeticStep& step) {
  if (type_width(step.from) == 16) return each_pair<Op, Wide, Byte>(step);
  with_element(step.from, PairToBoolean<Op>{step});
}

// Whether it is one of longs by a constant, and done.
bool divide_by_constant(const ArithmeticStep& step) {
  const std::size_t place = step.operation == Operation::kBar ? 0 : 1;
  if (is_floating(step.from) || type_width(step.from) != 8 || !step.is_constant[place])
    return false;
  const auto constant = element<std::int64_t>(step.arguments[place], 0);
  if (constant < 2) return false;
  const Divisor divisor(constant);
  const std::byte* const values = step.arguments[1 - place];
  auto* HWY_RESTRICT const out = reinterpret_cast<std::int64_t*>(step.out);
  const std::int64_t whole = step.operation == Operation::kIntegerDivide ? 1 : constant;
  const bool is_rest = step.operation == Operation::kModulo;
  const std::size_t count = step.count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = element<std::int64_t>(values, i);
    const std::uint64_t product = bits_of(whole) * bits_of(divisor.quotient(x));
    const std::uint64_t result = is_rest ? bits_of(x) - product : product;
    out[i] = is_null(x) ? x : static_cast<std::int64_t>(result);
  }
  return true;
}

void is_null_step(const ArithmeticStep& step) {
  if (step.from == QType::kChar) return each<IsBlank, Byte, Byte>(step);
  if (type_width(step.from) != 16) return unary_to<IsNull, Byte>(step);
  const std::size_t count = step.count;
  for (std::size_t i = 0; i < count; ++i)
    step.out[i] = std::byte{element<Wide>(step.arguments[0], i) == Wide{}};
}

void cast_step(const ArithmeticStep& step) {
  if (step.from == QType::kDate && step.to == QType::kMonth)
    return each<MonthOfDate, std::int32_t, std::int32_t>(step);
  if (step.from == QType::kMonth && step.to == QType::kDate)
    return each<DateOfMonth, std::int32_t, std::int32_t>(step);
  if (step.to == QType::kBoolean) return unary_to<IsTrue, Byte>(step);
  with_element(step.to, Convert{step});
}

void unary_step(const ArithmeticStep& step) {
  switch (step.operation) {
    case Operation::kNegate: return same<Negate>(step);
    case Operation::kAbsolute: return same<Absolute>(step);
    case Operation::kSquareRoot: return each<SquareRoot, double, double>(step);
    case Operation::kExponential: return each<Exponential, double, double>(step);
    case Operation::kLogarithm: return each<Logarithm, double, double>(step);
    case Operation::kReciprocal: return each<Reciprocal, double, double>(step);
    case Operation::kFloor: return unary_to<Floor, std::int64_t>(step);
    case Operation::kCeiling: return unary_to<Ceiling, std::int64_t>(step);
    case Operation::kSignum: return unary_to<Signum, std::int32_t>(step);
    case Operation::kNot: return unary_to<Not, Byte>(step);
    case Operation::kIsNull: return is_null_step(step);
    case Operation::kCast: return cast_step(step);
    default: HDB_CHECK(false, "no operation on elements");
  }
}

void division_step(const ArithmeticStep& step) {
  if (divide_by_constant(step)) return;
  if (step.operation == Operation::kBar) return same_pair<Bar>(step);
  if (step.operation == Operation::kIntegerDivide) return same_pair<IntegerDivide>(step);
  same_pair<Modulo>(step);
}

template <typename T>
void make_one(std::size_t count, std::byte* elements) {
  T* const values = reinterpret_cast<T*>(elements);
  for (std::size_t i = 0; i < count; ++i) values[i] = is_null(values[i]) ? null_of<T>() : values[i];
}

}  // namespace

void RunStep(const ArithmeticStep& step) {
  switch (step.operation) {
    case Operation::kAdd: return same_pair<Add>(step);
    case Operation::kSubtract: return same_pair<Subtract>(step);
    case Operation::kMultiply: return same_pair<Multiply>(step);
    case Operation::kLesser: return same_pair<Lesser>(step);
    case Operation::kGreater: return same_pair<Greater>(step);
    case Operation::kFill: return same_pair<Fill>(step);
    case Operation::kBar:
    case Operation::kIntegerDivide:
    case Operation::kModulo: return division_step(step);
    case Operation::kDivide: return each_pair<Divide, double, double>(step);
    case Operation::kAnd: return each_pair<And, Byte, Byte>(step);
    case Operation::kOr: return each_pair<Or, Byte, Byte>(step);
    case Operation::kEqual: return pair_to_boolean<Equal>(step);
    case Operation::kNotEqual: return pair_to_boolean<NotEqual>(step);
    case Operation::kLess: return with_element(step.from, PairToBoolean<Less>{step});
    case Operation::kLessEqual: return with_element(step.from, PairToBoolean<LessEqual>{step});
    case Operation::kChoose:
      if (type_width(step.from) == 16) return choose_each<Wide>(step);
      return with_element(step.from, Choose{step});
    default: return unary_step(step);
  }
}

void MakeNullsOne(QType type, std::size_t count, std::byte* elements) {
  if (type == QType::kReal) return make_one<float>(count, elements);
  make_one<double>(count, elements);
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(RunStep);
HWY_EXPORT(MakeNullsOne);

void run_step(const ArithmeticStep& step) { HWY_DYNAMIC_DISPATCH(RunStep)(step); }

void make_nulls_one(QType type, std::size_t count, std::byte* elements) {
  HWY_DYNAMIC_DISPATCH(MakeNullsOne)(type, count, elements);
}

}  // namespace hdbench
#endif  // HWY_ONCE
