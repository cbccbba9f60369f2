// The operations of two arguments.
#include "engine/expression/pair_arithmetic.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/expression/divisor.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/expression/pair_arithmetic.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

#include "engine/expression/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

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

template <typename Op>
constexpr bool kIsCasting =
    std::is_same_v<Op, Add> || std::is_same_v<Op, Subtract> || std::is_same_v<Op, Multiply> ||
    std::is_same_v<Op, Divide> || std::is_same_v<Op, Less> || std::is_same_v<Op, LessEqual>;

template <typename Op, typename F, typename T, typename A = F, typename B = F>
void each_pair(const ArithmeticStep& step) {
  const std::byte* const a = step.arguments[0];
  const std::byte* const b = step.arguments[1];
  T* HWY_RESTRICT const out = reinterpret_cast<T*>(step.out);
  each_element(step, [=](std::size_t i) HWY_ATTR {
    const F x = ConvertTo<F>::of(element<A>(a, i));
    const F y = ConvertTo<F>::of(element<B>(b, i));
    out[i] = static_cast<T>(Op::of(x, y));
  });
}

template <typename Op, typename F, typename T, typename From>
void cast_pair(const ArithmeticStep& step) {
  if (step.cast_argument == 0) return each_pair<Op, F, T, From, F>(step);
  each_pair<Op, F, T, F, From>(step);
}

// Of reals or floats one argument may be cast on the way.
template <typename Op, typename F, typename T>
void run_pair_of(const ArithmeticStep& step) {
  constexpr bool kMayCast = kIsCasting<Op> && std::is_floating_point_v<F>;
  HDB_DCHECK(kMayCast || step.cast_argument == kNoCast, "casts_on_the_way() was asked");
  if constexpr (kMayCast) {
    if (step.cast_argument != kNoCast) {
      if constexpr (std::is_same_v<F, double>) {
        if (step.cast_from == QType::kReal) return cast_pair<Op, F, T, float>(step);
        if (type_width(step.cast_from) == 8) return cast_pair<Op, F, T, std::int64_t>(step);
      }
      return cast_pair<Op, F, T, std::int32_t>(step);
    }
  }
  each_pair<Op, F, T>(step);
}

template <typename Op>
struct SamePair {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    run_pair_of<Op, T, T>(step);
  }
};
template <typename Op>
struct PairToBoolean {
  const ArithmeticStep& step;
  template <typename T>
  void operator()(Element<T>) const {
    run_pair_of<Op, T, Byte>(step);
  }
};

template <typename Op>
void same_pair(const ArithmeticStep& step) {
  with_element(step.from, SamePair<Op>{step});
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

void division_step(const ArithmeticStep& step) {
  if (divide_by_constant(step)) return;
  if (step.operation == Operation::kBar) return same_pair<Bar>(step);
  if (step.operation == Operation::kIntegerDivide) return same_pair<IntegerDivide>(step);
  same_pair<Modulo>(step);
}

}  // namespace

void RunPair(const ArithmeticStep& step) {
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
    case Operation::kDivide: return run_pair_of<Divide, double, double>(step);
    case Operation::kAnd: return each_pair<And, Byte, Byte>(step);
    case Operation::kOr: return each_pair<Or, Byte, Byte>(step);
    case Operation::kEqual: return pair_to_boolean<Equal>(step);
    case Operation::kNotEqual: return pair_to_boolean<NotEqual>(step);
    case Operation::kLess: return with_element(step.from, PairToBoolean<Less>{step});
    case Operation::kLessEqual: return with_element(step.from, PairToBoolean<LessEqual>{step});
    default: HDB_CHECK(false, "no operation of two arguments");
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(RunPair);

void run_pair(const ArithmeticStep& step) { HWY_DYNAMIC_DISPATCH(RunPair)(step); }

bool casts_on_the_way(Operation operation, QType from, QType to) {
  const bool has_kernel = operation == Operation::kAdd || operation == Operation::kSubtract ||
                          operation == Operation::kMultiply || operation == Operation::kDivide ||
                          operation == Operation::kLess || operation == Operation::kLessEqual;
  if (!has_kernel || !is_floating(to)) return false;
  if (operation == Operation::kDivide && to == QType::kReal) return false;
  if (from == QType::kReal) return to != QType::kReal;
  if (is_floating(from)) return false;
  return type_width(from) == 4 || (type_width(from) == 8 && to != QType::kReal);
}

}  // namespace hdbench
#endif  // HWY_ONCE
