#include "engine/expression/arithmetic.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/column/calendar.h"
#include "engine/expression/pair_arithmetic.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/expression/arithmetic.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

#include "engine/expression/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

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

template <typename Op, typename F, typename T>
void each(const ArithmeticStep& step) {
  const std::byte* const a = step.arguments[0];
  T* HWY_RESTRICT const out = reinterpret_cast<T*>(step.out);
  each_element(step,
               [=](std::size_t i) HWY_ATTR { out[i] = static_cast<T>(Op::of(element<F>(a, i))); });
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

// To the arguments' own type.
template <typename Op>
struct Same {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    each<Op, T, T>(step);
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
template <typename Op, typename R>
void unary_to(const ArithmeticStep& step) {
  with_element(step.from, To<Op, R>{step});
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

// A pass that writes nothing where no element is null.
template <typename T>
void make_one(std::size_t count, std::byte* elements) {
  T* const values = reinterpret_cast<T*>(elements);
  int nulls = 0;
  for (std::size_t i = 0; i < count; ++i) nulls |= static_cast<int>(is_null(values[i]));
  if (nulls == 0) return;
  for (std::size_t i = 0; i < count; ++i) values[i] = is_null(values[i]) ? null_of<T>() : values[i];
}

}  // namespace

void RunOther(const ArithmeticStep& step) {
  if (step.operation != Operation::kChoose) return unary_step(step);
  if (type_width(step.from) == 16) return choose_each<Wide>(step);
  with_element(step.from, Choose{step});
}

void MakeNullsOne(QType type, std::size_t count, std::byte* elements) {
  if (type == QType::kReal) return make_one<float>(count, elements);
  make_one<double>(count, elements);
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(RunOther);
HWY_EXPORT(MakeNullsOne);

void run_step(const ArithmeticStep& step) {
  if (argument_count(step.operation) == 2) return run_pair(step);
  HWY_DYNAMIC_DISPATCH(RunOther)(step);
}

void make_nulls_one(QType type, std::size_t count, std::byte* elements) {
  HWY_DYNAMIC_DISPATCH(MakeNullsOne)(type, count, elements);
}

}  // namespace hdbench
#endif  // HWY_ONCE
