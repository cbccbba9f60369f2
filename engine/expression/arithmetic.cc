// The operations on elements.
//
// A kernel works on strips of 64 elements; those behind the last whole strip go through a copy that
// is filled up. There are kernels for ints, longs and floats, and for what queries spend their time
// in besides: sums, products, comparisons and signs of reals, which are the prices of trades, pairs
// of floats or reals one of which is another number, and equal bytes, such as exchanges.
// Arguments of other types are converted to one of these types first, and the result back.
#include "engine/expression/arithmetic.h"

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/base/check.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/expression/arithmetic.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

#include "engine/expression/operations-inl.h"

// What is the same for all targets, for each of which this source is read.
#ifndef HDBENCH_EXPRESSION_ARITHMETIC_CC
#define HDBENCH_EXPRESSION_ARITHMETIC_CC
namespace hdbench {
namespace {

constexpr std::size_t kStrip = kStepStrip;

// How an element is stored.
enum class Kind : std::uint8_t { kByte, kShort, kInt, kLong, kReal, kFloat, kWide };

struct Strips {
  std::array<const std::byte*, 3> arguments{};
  std::byte* out = nullptr;
  std::size_t count = 0;  // of strips
  std::uint8_t flip = 0;  // 1: a boolean result is negated
  LinesAhead* ahead = nullptr;
};
using Kernel = void (*)(const Strips&);

struct KernelKey {
  Operation operation = Operation::kAdd;
  Kind kind = Kind::kLong;     // of the arguments
  Kind to = Kind::kLong;       // kCast alone
  std::size_t cast = kNoCast;  // the argument that is of another kind
  Kind cast_from = Kind::kLong;
};

}  // namespace
}  // namespace hdbench
#endif

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

// Calls work(i) for each element.
template <typename Work>
HWY_INLINE void each_element(const Strips& strips, const Work& work) {
  for (std::size_t s = 0; s < strips.count; ++s) {
    if (strips.ahead != nullptr) strips.ahead->fetch();
    for (std::size_t i = s * kStrip; i < (s + 1) * kStrip; ++i) work(i);
  }
}

template <typename Result>
using Stored = std::conditional_t<std::is_same_v<Result, bool>, Byte, Result>;

template <typename Op, typename F>
void one(const Strips& strips) {
  using Result = decltype(Op::of(F{}));
  const std::byte* const a = strips.arguments[0];
  auto* HWY_RESTRICT const out = reinterpret_cast<Stored<Result>*>(strips.out);
  const std::uint8_t flip = strips.flip;
  each_element(strips, [=](std::size_t i) HWY_ATTR {
    const Result result = Op::of(element<F>(a, i));
    if constexpr (std::is_same_v<Result, bool>)
      out[i] = static_cast<Byte>(static_cast<Byte>(result) ^ flip);
    else
      out[i] = result;
  });
}

// Of two F, one of which may be stored as another type.
template <typename Op, typename F, typename A = F, typename B = F>
void two(const Strips& strips) {
  using Result = decltype(Op::of(F{}, F{}));
  const std::byte* const a = strips.arguments[0];
  const std::byte* const b = strips.arguments[1];
  auto* HWY_RESTRICT const out = reinterpret_cast<Stored<Result>*>(strips.out);
  const std::uint8_t flip = strips.flip;
  each_element(strips, [=](std::size_t i) HWY_ATTR {
    const F x = ConvertTo<F>::of(element<A>(a, i));
    const F y = ConvertTo<F>::of(element<B>(b, i));
    if constexpr (std::is_same_v<Result, bool>)
      out[i] = static_cast<Byte>(static_cast<Byte>(Op::of(x, y)) ^ flip);
    else
      out[i] = Op::of(x, y);
  });
}

template <typename T>
void choose(const Strips& strips) {
  const auto [c, a, b] = strips.arguments;
  T* HWY_RESTRICT const out = reinterpret_cast<T*>(strips.out);
  each_element(strips, [=](std::size_t i) HWY_ATTR {
    const T x = element<T>(a, i);
    const T y = element<T>(b, i);
    out[i] = element<Byte>(c, i) != 0 ? x : y;
  });
}

template <typename Op>
Kernel one_of(Kind kind) {
  if (kind == Kind::kInt) return one<Op, std::int32_t>;
  if (kind == Kind::kLong) return one<Op, std::int64_t>;
  return kind == Kind::kFloat ? one<Op, double> : nullptr;
}

template <typename Op>
Kernel usual_one_of(Kind kind) {
  return kind == Kind::kReal ? one<Op, float> : one_of<Op>(kind);
}

template <typename Op>
Kernel two_of(Kind kind) {
  if (kind == Kind::kInt) return two<Op, std::int32_t>;
  if (kind == Kind::kLong) return two<Op, std::int64_t>;
  return kind == Kind::kFloat ? two<Op, double> : nullptr;
}

// With kernels for reals, too, and for floats one of which is cast.
template <typename Op, bool kIsCommutative>
Kernel usual_two_of(const KernelKey& key) {
  if (key.cast == kNoCast) return key.kind == Kind::kReal ? two<Op, float> : two_of<Op>(key.kind);
  if (key.kind == Kind::kReal) {
    if constexpr (kIsCommutative) return two<Op, float, std::int32_t>;
    return nullptr;
  }
  if (key.cast == 0) {
    if (key.cast_from == Kind::kReal) return two<Op, double, float>;
    return key.cast_from == Kind::kInt ? two<Op, double, std::int32_t>
                                       : two<Op, double, std::int64_t>;
  }
  if constexpr (kIsCommutative) return nullptr;
  if (key.cast_from == Kind::kReal) return two<Op, double, double, float>;
  return key.cast_from == Kind::kInt ? two<Op, double, double, std::int32_t>
                                     : two<Op, double, double, std::int64_t>;
}

// Ints are divided as doubles are.
template <typename Op>
Kernel division_of(Kind kind) {
  if (kind == Kind::kInt) return two<Op, std::int32_t>;
  return kind == Kind::kFloat ? two<Op, double> : nullptr;
}

Kernel cast_of(Kind from, Kind to) {
  switch (from) {
    case Kind::kByte: return to == Kind::kInt ? one<ConvertTo<std::int32_t>, Byte> : nullptr;
    case Kind::kShort:
      return to == Kind::kInt ? one<ConvertTo<std::int32_t>, std::int16_t> : nullptr;
    case Kind::kInt:
      if (to == Kind::kByte) return one<ConvertTo<Byte>, std::int32_t>;
      if (to == Kind::kShort) return one<ConvertTo<std::int16_t>, std::int32_t>;
      if (to == Kind::kLong) return one<ConvertTo<std::int64_t>, std::int32_t>;
      if (to == Kind::kReal) return one<ConvertTo<float>, std::int32_t>;
      return to == Kind::kFloat ? one<ConvertTo<double>, std::int32_t> : nullptr;
    case Kind::kLong:
      if (to == Kind::kInt) return one<ConvertTo<std::int32_t>, std::int64_t>;
      return to == Kind::kFloat ? one<ConvertTo<double>, std::int64_t> : nullptr;
    case Kind::kReal: return to == Kind::kFloat ? one<ConvertTo<double>, float> : nullptr;
    case Kind::kFloat:
      if (to == Kind::kInt) return one<ConvertTo<std::int32_t>, double>;
      if (to == Kind::kLong) return one<ConvertTo<std::int64_t>, double>;
      return to == Kind::kReal ? one<ConvertTo<float>, double> : nullptr;
    default: return nullptr;
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

// Null where there is none.
Kernel FindKernel(const KernelKey& key) {
  switch (key.operation) {
    case Operation::kAdd: return usual_two_of<Add, true>(key);
    case Operation::kSubtract: return usual_two_of<Subtract, false>(key);
    case Operation::kMultiply: return usual_two_of<Multiply, true>(key);
    case Operation::kLess: return usual_two_of<Less, false>(key);
    case Operation::kEqual:
      if (key.kind == Kind::kByte) return two<Equal, Byte>;
      return key.kind == Kind::kReal ? two<Equal, float> : two_of<Equal>(key.kind);
    case Operation::kLesser: return two_of<Lesser>(key.kind);
    case Operation::kGreater: return two_of<Greater>(key.kind);
    case Operation::kFill: return two_of<Fill>(key.kind);
    case Operation::kBar: return division_of<Bar>(key.kind);
    case Operation::kIntegerDivide: return division_of<IntegerDivide>(key.kind);
    case Operation::kModulo: return division_of<Modulo>(key.kind);
    case Operation::kDivide: return two<Divide, double>;
    case Operation::kAnd: return two<And, Byte>;
    case Operation::kOr: return two<Or, Byte>;
    case Operation::kNegate: return usual_one_of<Negate>(key.kind);
    case Operation::kAbsolute: return usual_one_of<Absolute>(key.kind);
    case Operation::kSquareRoot: return one<SquareRoot, double>;
    case Operation::kReciprocal: return one<Reciprocal, double>;
    case Operation::kFloor: return key.kind == Kind::kFloat ? one<Floor, double> : nullptr;
    case Operation::kCeiling: return key.kind == Kind::kFloat ? one<Ceiling, double> : nullptr;
    case Operation::kSignum: return usual_one_of<Signum>(key.kind);
    case Operation::kNot: return key.kind == Kind::kByte ? one<Not, Byte> : one_of<Not>(key.kind);
    case Operation::kIsNull: return one_of<IsNull>(key.kind);
    case Operation::kCast: return cast_of(key.kind, key.to);
    case Operation::kChoose:
      if (key.kind == Kind::kByte) return choose<Byte>;
      if (key.kind == Kind::kInt || key.kind == Kind::kReal) return choose<std::uint32_t>;
      if (key.kind == Kind::kLong || key.kind == Kind::kFloat) return choose<std::uint64_t>;
      return nullptr;
    default: return nullptr;
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

HWY_EXPORT(FindKernel);
HWY_EXPORT(MakeNullsOne);

namespace {

using namespace HWY_NAMESPACE;  // NOLINT(google-build-using-namespace): the portable target's

Kind kind_of(QType type) {
  if (type == QType::kReal) return Kind::kReal;
  if (is_floating(type)) return Kind::kFloat;
  switch (type_width(type)) {
    case 1: return Kind::kByte;
    case 2: return Kind::kShort;
    case 4: return Kind::kInt;
    case 8: return Kind::kLong;
    default: return Kind::kWide;
  }
}

std::size_t width_of(Kind kind) {
  static constexpr std::size_t kWidths[] = {1, 2, 4, 8, 4, 8, 16};
  return kWidths[static_cast<std::size_t>(kind)];
}

// What is rare, or no faster with any vectors: for the portable target alone.
Kernel portable_kernel(const KernelKey& key) {
  const bool is_long = key.kind == Kind::kLong;
  if (is_long || key.kind == Kind::kReal) {
    switch (key.operation) {
      case Operation::kBar: return is_long ? two<Bar, std::int64_t> : two<Bar, float>;
      case Operation::kIntegerDivide:
        return is_long ? two<IntegerDivide, std::int64_t> : two<IntegerDivide, float>;
      case Operation::kModulo: return is_long ? two<Modulo, std::int64_t> : two<Modulo, float>;
      default: break;
    }
  }
  if (is_long && key.operation == Operation::kCast) {
    if (key.to == Kind::kByte) return one<ConvertTo<Byte>, std::int64_t>;
    if (key.to == Kind::kReal) return one<ConvertTo<float>, std::int64_t>;
  }
  if (key.kind == Kind::kWide) {
    if (key.operation == Operation::kEqual) return two<Equal, Wide>;
    if (key.operation == Operation::kIsNull) return one<IsNull, Wide>;
    if (key.operation == Operation::kChoose) return choose<Wide>;
  }
  if (key.kind == Kind::kShort && key.operation == Operation::kChoose) return choose<std::uint16_t>;
  if (key.operation == Operation::kExponential) return one<Exponential, double>;
  return key.operation == Operation::kLogarithm ? one<Logarithm, double> : nullptr;
}

// The kinds of a step's arrays, and what the kernel does besides.
struct Arrays {
  std::array<Kind, 3> arguments;
  Kind out;
  std::uint8_t flip = 0;
};

void run(Kernel kernel, const ArithmeticStep& step, const Arrays& arrays) {
  const std::size_t whole = step.count / kStrip;
  kernel({step.arguments, step.out, whole, arrays.flip, step.ahead});
  const std::size_t left = step.count % kStrip;
  if (left == 0) return;
  alignas(64) std::byte padded[3][kStrip * sizeof(Wide)] = {};
  alignas(64) std::byte results[kStrip * sizeof(Wide)];
  Strips last{{padded[0], padded[1], padded[2]}, results, 1, arrays.flip, nullptr};
  for (std::size_t a = 0; a < argument_count(step.operation); ++a) {
    const std::size_t width = width_of(arrays.arguments[a]);
    std::memcpy(padded[a], step.arguments[a] + whole * kStrip * width, left * width);
  }
  kernel(last);
  const std::size_t width = width_of(arrays.out);
  std::memcpy(step.out + whole * kStrip * width, results, left * width);
}

// Elements of a block that is converted on its way.
struct Elements {
  alignas(64) std::byte bytes[kStepRowsMax * sizeof(double)];
};

// The next kind on the way from one to another.
Kind next_kind(Kind from, Kind to) {
  if (from == Kind::kByte || from == Kind::kShort) return Kind::kInt;
  if (from == Kind::kReal) return Kind::kFloat;
  if (to == Kind::kShort || (to == Kind::kByte && from == Kind::kFloat))
    return from == Kind::kInt ? to : Kind::kInt;
  return to;
}

void convert(ArithmeticStep step, Kind from, Kind to) {
  step.operation = Operation::kCast;
  Elements elements[2];
  std::byte* const out = step.out;
  for (std::size_t pass = 0; from != to; ++pass) {
    const Kind next = next_kind(from, to);
    const KernelKey key{Operation::kCast, from, next, kNoCast, {}};
    const Kernel kernel = HWY_DYNAMIC_DISPATCH(FindKernel)(key);
    step.out = next == to ? out : elements[pass % 2].bytes;
    run(kernel != nullptr ? kernel : portable_kernel(key), step, {{from}, next});
    step.arguments[0] = step.out;
    step.ahead = nullptr;
    from = next;
  }
  if (step.out != step.arguments[0]) std::memcpy(out, step.arguments[0], step.count * width_of(to));
}

// Whether an operation's result is of its arguments' type.
bool keeps_type(Operation operation) {
  return (operation >= Operation::kAdd && operation <= Operation::kModulo) ||
         operation == Operation::kNegate || operation == Operation::kAbsolute;
}

void run_by_kernel(ArithmeticStep step, std::uint8_t flip);

// Bytes and shorts as ints, reals as floats.
void run_converted(const ArithmeticStep& step, std::uint8_t flip) {
  const Kind from = kind_of(step.from);
  const bool is_real = from == Kind::kReal;
  HDB_CHECK(is_real || from == Kind::kByte || from == Kind::kShort,
            "the binder lets only fitting types through");
  ArithmeticStep wider = step;
  wider.from = is_real ? QType::kFloat : QType::kInt;
  Elements arguments[2];
  for (std::size_t a = 0; a < argument_count(step.operation); ++a) {
    ArithmeticStep widen = step;
    widen.arguments[0] = step.arguments[a];
    widen.out = arguments[a].bytes;
    widen.ahead = nullptr;
    convert(widen, from, kind_of(wider.from));
    wider.arguments[a] = widen.out;
  }
  if (!keeps_type(step.operation)) return run_by_kernel(wider, flip);
  Elements result;
  wider.to = wider.from;
  wider.out = result.bytes;
  run_by_kernel(wider, flip);
  ArithmeticStep narrow = step;
  narrow.arguments[0] = result.bytes;
  narrow.operation = Operation::kCast;
  if (from == Kind::kShort)
    return run(one<WrapToShort, std::int32_t>, narrow, {{Kind::kInt}, Kind::kShort});
  convert(narrow, kind_of(wider.from), from);
}

void run_by_kernel(ArithmeticStep step, std::uint8_t flip) {
  KernelKey key{step.operation, kind_of(step.from), kind_of(step.to), step.cast_argument,
                kind_of(step.cast_from)};
  const bool is_commutative =
      step.operation == Operation::kAdd || step.operation == Operation::kMultiply;
  if (is_commutative && key.cast == 1) {
    std::swap(step.arguments[0], step.arguments[1]);
    key.cast = 0;
  }
  Kernel kernel = HWY_DYNAMIC_DISPATCH(FindKernel)(key);
  if (kernel == nullptr) kernel = portable_kernel(key);
  if (kernel == nullptr) return run_converted(step, flip);
  Arrays arrays{{key.kind, key.kind, key.kind}, key.to, flip};
  if (step.operation == Operation::kChoose) arrays.arguments[0] = Kind::kByte;
  if (key.cast != kNoCast) arrays.arguments[key.cast] = key.cast_from;
  run(kernel, step, arrays);
}

// Floor division of longs by a constant of 2 at least, as a product with its reciprocal: quotients
// of 63 bits are exact (Granlund and Montgomery). Those of x < 0 are ~(~x / divisor).
struct Divisor {
  __extension__ typedef unsigned __int128 Uint128;

  explicit Divisor(std::int64_t of) : divisor(of) {
    const auto unsigned_of = static_cast<std::uint64_t>(of);
    shift = static_cast<int>(std::bit_width(unsigned_of - 1)) - 1;
    const Uint128 power = Uint128{1} << (64 + shift);
    reciprocal = static_cast<std::uint64_t>((power + (unsigned_of - 1)) / unsigned_of);
  }
  std::int64_t quotient(std::int64_t x) const {
    const std::int64_t sign = x >> 63;
    const auto magnitude = static_cast<std::uint64_t>(x ^ sign);
    const auto high = static_cast<std::uint64_t>(Uint128{magnitude} * reciprocal >> 64);
    return static_cast<std::int64_t>(high >> shift) ^ sign;
  }

  std::int64_t divisor;
  std::uint64_t reciprocal = 0;
  int shift = 0;
};

// Whether it is a division of longs by a constant, and done.
bool divide_by_constant(const ArithmeticStep& step) {
  const std::size_t place = step.operation == Operation::kBar ? 0 : 1;
  if (kind_of(step.from) != Kind::kLong || !step.is_constant[place]) return false;
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

void cast_step(ArithmeticStep step) {
  const Arrays ints{{Kind::kInt}, Kind::kInt};
  if (step.from == QType::kDate && step.to == QType::kMonth)
    return run(one<MonthOfDate, std::int32_t>, step, ints);
  if (step.from == QType::kMonth && step.to == QType::kDate)
    return run(one<DateOfMonth, std::int32_t>, step, ints);
  if (step.to != QType::kBoolean) return convert(step, kind_of(step.from), kind_of(step.to));
  step.operation = Operation::kNot;
  run_by_kernel(step, 1);
}

}  // namespace

void run_step(const ArithmeticStep& step) {
  HDB_DCHECK(step.count <= kStepRowsMax, "a block of an expression");
  ArithmeticStep same = step;
  switch (step.operation) {
    case Operation::kCast: return cast_step(step);
    case Operation::kFloor:
    case Operation::kCeiling:
      if (!is_floating(step.from)) return convert(step, kind_of(step.from), Kind::kLong);
      break;
    case Operation::kIsNull:
      if (step.from == QType::kChar)
        return run(one<IsBlank, Byte>, step, {{Kind::kByte}, Kind::kByte});
      break;
    case Operation::kBar:
    case Operation::kIntegerDivide:
    case Operation::kModulo:
      if (divide_by_constant(step)) return;
      break;
    case Operation::kNotEqual: same.operation = Operation::kEqual; return run_by_kernel(same, 1);
    case Operation::kLessEqual:
      same.operation = Operation::kLess;
      std::swap(same.arguments[0], same.arguments[1]);
      if (same.cast_argument != kNoCast) same.cast_argument = 1 - same.cast_argument;
      return run_by_kernel(same, 1);
    default: break;
  }
  run_by_kernel(step, 0);
}

bool casts_on_the_way(Operation operation, QType from, QType to) {
  const bool has_kernel = operation == Operation::kAdd || operation == Operation::kSubtract ||
                          operation == Operation::kMultiply || operation == Operation::kLess ||
                          operation == Operation::kLessEqual;
  const Kind kind = kind_of(from);
  if (kind_of(to) == Kind::kReal)
    return kind == Kind::kInt &&
           (operation == Operation::kAdd || operation == Operation::kMultiply);
  return has_kernel && kind_of(to) == Kind::kFloat &&
         (kind == Kind::kReal || kind == Kind::kInt || kind == Kind::kLong);
}

void make_nulls_one(QType type, std::size_t count, std::byte* elements) {
  HWY_DYNAMIC_DISPATCH(MakeNullsOne)(type, count, elements);
}

}  // namespace hdbench
#endif  // HWY_ONCE
