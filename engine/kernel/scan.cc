#include "engine/kernel/scan.h"

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "engine/column/order_key.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/cpu_tuning.h"
#include "engine/kernel/word_mask-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Tests every row, 512 bytes of values at a time: what is fetched is decided once for all of them,
// where narrow codes would otherwise spend as long on that as on their test. Returns the words
// tested.
template <typename T, typename VectorTest>
HWY_INLINE std::size_t scan_blocks(const T* HWY_RESTRICT values, const ScanTarget& target,
                                   std::uint64_t flip, const FetchAhead& ahead,
                                   const VectorTest& test) {
  static_assert(sizeof(T) <= 4, "a block of wider values is as fast word by word");
  constexpr std::size_t kBlockWords = 8 / sizeof(T);
  constexpr std::size_t kBlockBytes = kBlockWords * kWordRows * sizeof(T);
  std::uint64_t* bits = target.bits;
  const std::size_t blocks = target.rows / kWordRows / kBlockWords;
  for (std::size_t b = 0; b < blocks; ++b) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kBlockWords; ++k) {
      const std::size_t w = b * kBlockWords + k;
      bits[w] = mask_word(values + w * kWordRows, test) ^ flip;
    }
    ahead.fetch(values + b * kBlockWords * kWordRows, kBlockBytes);
  }
  return blocks * kBlockWords;
}

// Tests rows and writes a bit for each: all of them, or (`narrow`) only those whose bit is set, so
// that a later condition reads nothing where an earlier one has left no row of a word.
template <typename T, typename VectorTest>
HWY_INLINE void scan_words(const std::byte* bytes, const ScanTarget& target,
                           const VectorTest& test) {
  const auto* values = reinterpret_cast<const T*>(bytes);
  const std::uint64_t flip = target.negated ? ~std::uint64_t{0} : 0;
  const std::size_t whole = target.rows / kWordRows;
  const FetchAhead ahead;
  constexpr std::size_t kWordBytes = kWordRows * sizeof(T);
  std::size_t w = 0;
  if constexpr (sizeof(T) <= 4) {
    if (!target.narrow) w = scan_blocks(values, target, flip, ahead, test);
  }
  for (; w < whole; ++w) {
    if (target.narrow && target.bits[w] == 0) continue;
    std::uint64_t word = mask_word(values + w * kWordRows, test) ^ flip;
    if (target.narrow) word &= target.bits[w];
    target.bits[w] = word;
    ahead.fetch(values + w * kWordRows, kWordBytes);
  }
  const std::size_t left = target.rows % kWordRows;
  if (left == 0 || (target.narrow && target.bits[whole] == 0)) return;
  // The tail is tested in a copy that is padded with a value that is there.
  T there;
  std::memcpy(&there, values + whole * kWordRows, sizeof(T));
  HWY_ALIGN T padded[kWordRows];
  std::fill_n(padded, kWordRows, there);
  std::memcpy(padded, values + whole * kWordRows, left * sizeof(T));
  const std::uint64_t word = (mask_word(padded, test) ^ flip) & tail_mask(left);
  target.bits[whole] = target.narrow ? target.bits[whole] & word : word;
}

// Both ends are included. Every comparison with NaN is false.
template <typename T>
void float_range_between(const std::byte* values, T low, T high, const ScanTarget& target) {
  scan_words<T>(values, target, [=](auto d, auto v) HWY_ATTR {
    return hn::And(hn::Ge(v, hn::Set(d, low)), hn::Le(v, hn::Set(d, high)));
  });
}

template <typename T>
void range_of(const std::byte* values, T low, T high, const ScanTarget& target) {
  scan_words<T>(values, target, [=](auto d, auto v) HWY_ATTR {
    // Unsigned vectors have no order compare before AVX-512, but have minima and maxima.
    const auto lowest = hn::Set(d, low);
    const auto highest = hn::Set(d, high);
    if constexpr (std::is_unsigned_v<T>) return hn::Eq(hn::Max(hn::Min(v, highest), lowest), v);
    return hn::Not(hn::Or(hn::Lt(v, lowest), hn::Gt(v, highest)));
  });
}

// Floats: the null (every NaN) passes when the caller says so; comparisons with NaN are false by
// themselves.
template <typename T>
void float_range_of(const std::byte* values, T low, T high, bool nulls, const ScanTarget& target) {
  if (!nulls) return float_range_between<T>(values, low, high, target);
  scan_words<T>(values, target, [=](auto d, auto v) HWY_ATTR {
    return hn::Or(hn::And(hn::Ge(v, hn::Set(d, low)), hn::Le(v, hn::Set(d, high))), hn::IsNaN(v));
  });
}

// Equal to one of at most kSmallSet keys; the list is filled up with its last key.
template <typename T>
void any_float_of(const std::byte* values, const T* keys, std::size_t count, bool nulls,
                  const ScanTarget& target) {
  T all[kSmallSet];
  for (std::size_t k = 0; k < kSmallSet; ++k) all[k] = keys[std::min(k, count - 1)];
  scan_words<T>(values, target, [&](auto d, auto v) HWY_ATTR {
    auto mask = hn::Eq(v, hn::Set(d, all[0]));
    for (std::size_t k = 1; k < count; ++k) mask = hn::Or(mask, hn::Eq(v, hn::Set(d, all[k])));
    if (nulls) mask = hn::Or(mask, hn::IsNaN(v));
    return mask;
  });
}

// kCount of `codes`, 1, 4 or 8, the same one more than once where there are fewer.
template <typename T, std::size_t kCount>
std::uint64_t any_code_of(const std::byte* values, const T* codes, const ScanTarget& target) {
  const WordTag<T> tag;
  hn::Vec<WordTag<T>> any[kSmallSet];
  for (std::size_t k = 0; k < kSmallSet; ++k) any[k] = hn::Set(tag, codes[k]);
  // The highest code comes with the test for free: the caller checks it against the domain's size.
  auto highest = hn::Zero(tag);
  scan_words<T>(values, target, [&](auto, auto v) HWY_ATTR {
    highest = hn::Max(highest, v);
    if constexpr (kCount == 1) return hn::Eq(v, any[0]);
    const auto mask = equals_any(tag, v, any);
    if constexpr (kCount == 4) return mask;
    return hn::Or(mask, equals_any(tag, v, any + 4));
  });
  HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
  hn::StoreU(highest, tag, lanes);
  return *std::max_element(lanes, lanes + hn::Lanes(tag));
}

// Requires: T holds one of the codes at least.
template <typename T>
std::uint64_t any_code(const std::byte* values, const std::uint64_t* codes, std::size_t count,
                       const ScanTarget& target) {
  // Codes that T cannot hold are no value's.
  T held[kSmallSet] = {};
  std::size_t codes_held = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (codes[k] <= std::numeric_limits<T>::max()) held[codes_held++] = static_cast<T>(codes[k]);
  }
  for (std::size_t k = codes_held; k < kSmallSet; ++k) held[k] = held[0];
  if (codes_held == 1) return any_code_of<T, 1>(values, held, target);
  if (codes_held <= 4) return any_code_of<T, 4>(values, held, target);
  return any_code_of<T, 8>(values, held, target);
}

template <typename T>
std::uint64_t max_of(const std::byte* bytes, std::size_t count) {
  const auto* values = reinterpret_cast<const T*>(bytes);
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto highest = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) highest = hn::Max(highest, hn::LoadU(d, values + i));
  HWY_ALIGN T out[HWY_MAX_BYTES / sizeof(T)];
  hn::StoreU(highest, d, out);
  T result = *std::max_element(out, out + lanes);
  for (; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i, sizeof(T));
    result = std::max(result, value);
  }
  return result;
}

}  // namespace

void RangeU8(const std::byte* v, std::uint8_t low, std::uint8_t high, const ScanTarget& t) {
  range_of(v, low, high, t);
}
void RangeI16(const std::byte* v, std::int16_t low, std::int16_t high, const ScanTarget& t) {
  range_of(v, low, high, t);
}
void RangeI32(const std::byte* v, std::int32_t low, std::int32_t high, const ScanTarget& t) {
  range_of(v, low, high, t);
}
void RangeI64(const std::byte* v, std::int64_t low, std::int64_t high, const ScanTarget& t) {
  range_of(v, low, high, t);
}
void RangeF32(const std::byte* v, float low, float high, bool nulls, const ScanTarget& t) {
  float_range_of(v, low, high, nulls, t);
}
void RangeF64(const std::byte* v, double low, double high, bool nulls, const ScanTarget& t) {
  float_range_of(v, low, high, nulls, t);
}
void AnyF32(const std::byte* v, const float* keys, std::size_t n, bool nulls, const ScanTarget& t) {
  any_float_of(v, keys, n, nulls, t);
}
void AnyF64(const std::byte* v, const double* keys, std::size_t n, bool nulls,
            const ScanTarget& t) {
  any_float_of(v, keys, n, nulls, t);
}
std::uint64_t AnyCode(std::uint32_t width, const std::byte* v, const std::uint64_t* codes,
                      std::size_t n, const ScanTarget& t) {
  switch (width) {
    case 1: return any_code<std::uint8_t>(v, codes, n, t);
    case 2: return any_code<std::uint16_t>(v, codes, n, t);
    case 4: return any_code<std::uint32_t>(v, codes, n, t);
    default: return any_code<std::uint64_t>(v, codes, n, t);
  }
}
std::uint64_t Max(std::uint32_t width, const std::byte* v, std::size_t n) {
  switch (width) {
    case 1: return max_of<std::uint8_t>(v, n);
    case 2: return max_of<std::uint16_t>(v, n);
    case 4: return max_of<std::uint32_t>(v, n);
    default: return max_of<std::uint64_t>(v, n);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(RangeU8);
HWY_EXPORT(RangeI16);
HWY_EXPORT(RangeI32);
HWY_EXPORT(RangeI64);
HWY_EXPORT(RangeF32);
HWY_EXPORT(RangeF64);
HWY_EXPORT(AnyF32);
HWY_EXPORT(AnyF64);
HWY_EXPORT(AnyCode);
HWY_EXPORT(Max);

namespace {

constexpr std::int64_t kNullKey = std::numeric_limits<std::int64_t>::min();

// No row passes the test itself (all do when it is negated).
void scan_nothing(const ScanTarget& target) {
  const std::size_t words = words_for(target.rows);
  if (target.negated) {
    if (!target.narrow) set_bits(target.bits, target.rows);
    return;
  }
  for (std::size_t w = 0; w < words; ++w) target.bits[w] = 0;
}

// The kernel for T with the range cut to T's values; a range without any of them selects no row.
template <typename T, typename Kernel>
void integer_range(Kernel kernel, const std::byte* values, std::int64_t low, std::int64_t high,
                   const ScanTarget& target) {
  const auto least = std::int64_t{std::numeric_limits<T>::min()};
  const auto most = std::int64_t{std::numeric_limits<T>::max()};
  if (low > high || low > most || high < least) return scan_nothing(target);
  kernel(values, static_cast<T>(std::max(low, least)), static_cast<T>(std::min(high, most)),
         target);
}

// The smallest T at or above, the largest at or below a double: a double's comparison with a
// widened T is the T's.
float ceil_to(double value, float) {
  const auto near = static_cast<float>(value);
  return near < value ? std::nextafter(near, std::numeric_limits<float>::infinity()) : near;
}
float floor_to(double value, float) {
  const auto near = static_cast<float>(value);
  return near > value ? std::nextafter(near, -std::numeric_limits<float>::infinity()) : near;
}
double ceil_to(double value, double) { return value; }
double floor_to(double value, double) { return value; }

// A range of order keys (order_key.h) as a range of values. The least key represents the null.
template <typename T, typename Kernel>
void float_range(Kernel kernel, const std::byte* values, std::int64_t low, std::int64_t high,
                 const ScanTarget& target) {
  // The key below that of both zeros is no value's; as a double it is -0.0, which equals 0.0.
  if (high == float_order_key(0.0) - 1) --high;
  if (low > high) return scan_nothing(target);
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  // Keys beyond the infinities represent no value: clamp them, keeping an empty range empty.
  const std::int64_t least = float_order_key(-std::numeric_limits<double>::infinity());
  const std::int64_t most = float_order_key(std::numeric_limits<double>::infinity());
  T from = -kInfinity;
  T to = kInfinity;
  if (low > most || high < least) {
    std::swap(from, to);
  } else {
    if (low > least) from = ceil_to(float_from_order_key(low), T{});
    if (high < most) to = floor_to(float_from_order_key(high), T{});
  }
  kernel(values, from, to, low == kNullKey, target);
}

template <typename T>
std::int64_t key_at(const std::byte* values, std::size_t row) {
  T value;
  std::memcpy(&value, values + row * sizeof(T), sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    return float_order_key(static_cast<double>(value));
  } else {
    return std::int64_t{value};
  }
}

template <typename Passes>
void scan_rows(const ScanTarget& target, const Passes& passes) {
  for (std::size_t w = 0; w < words_for(target.rows); ++w) {
    if (target.narrow && target.bits[w] == 0) continue;
    std::uint64_t word = 0;
    const std::size_t end = std::min(kWordRows, target.rows - w * kWordRows);
    for (std::size_t i = 0; i < end; ++i) {
      word |= std::uint64_t{passes(w * kWordRows + i) != target.negated} << i;
    }
    target.bits[w] = target.narrow ? target.bits[w] & word : word;
  }
}

// More keys than a vector compare has.
template <typename T>
void search_set(const std::byte* values, std::span<const std::int64_t> keys,
                const ScanTarget& target) {
  scan_rows(target, [&](std::size_t row) {
    return std::binary_search(keys.begin(), keys.end(), key_at<T>(values, row));
  });
}

// Integers are equal where their bits are, as codes are.
template <typename T>
void integer_set(const std::byte* values, std::span<const std::int64_t> keys,
                 const ScanTarget& target) {
  if (keys.size() > kSmallSet) return search_set<T>(values, keys, target);
  std::uint64_t codes[kSmallSet];
  std::size_t count = 0;
  for (const std::int64_t key : keys) {
    if (std::in_range<T>(key)) codes[count++] = static_cast<std::make_unsigned_t<T>>(key);
  }
  if (count == 0) return scan_nothing(target);
  HWY_DYNAMIC_DISPATCH(AnyCode)(sizeof(T), values, codes, count, target);
}

template <typename T, typename Kernel>
void float_set(Kernel kernel, const std::byte* values, std::span<const std::int64_t> keys,
               const ScanTarget& target) {
  if (keys.size() > kSmallSet) return search_set<T>(values, keys, target);
  T typed[kSmallSet];
  std::size_t count = 0;
  bool nulls = false;
  for (const std::int64_t key : keys) {
    if (key == kNullKey) nulls = true;
    const double value = float_from_order_key(key);
    if (static_cast<double>(static_cast<T>(value)) == value) typed[count++] = static_cast<T>(value);
  }
  if (count == 0 && !nulls) return scan_nothing(target);
  if (count == 0) typed[count++] = std::numeric_limits<T>::quiet_NaN();
  kernel(values, typed, count, nulls, target);
}

// No row passes; the codes are looked at all the same.
std::uint64_t codes_of_none(std::uint32_t width, const std::byte* values,
                            const ScanTarget& target) {
  std::uint64_t highest = 0;
  for (std::size_t w = 0; w < words_for(target.rows); ++w) {
    if (target.narrow && target.bits[w] == 0) continue;
    const std::size_t row = w * kWordRows;
    const std::size_t rows = std::min(kWordRows, target.rows - row);
    highest = std::max(highest, max_code(width, values + row * width, rows));
  }
  scan_nothing(target);
  return highest;
}

template <typename T>
std::uint64_t codes_by_table(const std::byte* values, std::span<const std::uint8_t> member,
                             const ScanTarget& target) {
  std::uint64_t highest = 0;
  scan_rows(target, [&](std::size_t row) {
    T code;
    std::memcpy(&code, values + row * sizeof(T), sizeof(T));
    highest = std::max<std::uint64_t>(highest, code);
    return code < member.size() && member[code] != 0;
  });
  return highest;
}

}  // namespace

void scan_range(ScanType type, const std::byte* values, std::int64_t low, std::int64_t high,
                const ScanTarget& target) {
  switch (type) {
    case ScanType::kU8:
      return integer_range<std::uint8_t>(HWY_DYNAMIC_DISPATCH(RangeU8), values, low, high, target);
    case ScanType::kI16:
      return integer_range<std::int16_t>(HWY_DYNAMIC_DISPATCH(RangeI16), values, low, high, target);
    case ScanType::kI32:
      return integer_range<std::int32_t>(HWY_DYNAMIC_DISPATCH(RangeI32), values, low, high, target);
    case ScanType::kI64:
      return integer_range<std::int64_t>(HWY_DYNAMIC_DISPATCH(RangeI64), values, low, high, target);
    case ScanType::kF32:
      return float_range<float>(HWY_DYNAMIC_DISPATCH(RangeF32), values, low, high, target);
    case ScanType::kF64:
      return float_range<double>(HWY_DYNAMIC_DISPATCH(RangeF64), values, low, high, target);
  }
}

void scan_set(ScanType type, const std::byte* values, std::span<const std::int64_t> keys,
              const ScanTarget& target) {
  switch (type) {
    case ScanType::kU8: return integer_set<std::uint8_t>(values, keys, target);
    case ScanType::kI16: return integer_set<std::int16_t>(values, keys, target);
    case ScanType::kI32: return integer_set<std::int32_t>(values, keys, target);
    case ScanType::kI64: return integer_set<std::int64_t>(values, keys, target);
    case ScanType::kF32:
      return float_set<float>(HWY_DYNAMIC_DISPATCH(AnyF32), values, keys, target);
    case ScanType::kF64:
      return float_set<double>(HWY_DYNAMIC_DISPATCH(AnyF64), values, keys, target);
  }
}

std::uint64_t scan_codes(std::uint32_t width, const std::byte* values,
                         std::span<const std::uint64_t> codes, std::span<const std::uint8_t> member,
                         const ScanTarget& target) {
  if (codes.size() <= kSmallSet) {
    const bool fits_one = std::any_of(codes.begin(), codes.end(), [&](std::uint64_t code) {
      return width == 8 || code >> (8 * width) == 0;
    });
    if (fits_one)
      return HWY_DYNAMIC_DISPATCH(AnyCode)(width, values, codes.data(), codes.size(), target);
    return codes_of_none(width, values, target);
  }
  switch (width) {
    case 1: return codes_by_table<std::uint8_t>(values, member, target);
    case 2: return codes_by_table<std::uint16_t>(values, member, target);
    case 4: return codes_by_table<std::uint32_t>(values, member, target);
    default: return codes_by_table<std::uint64_t>(values, member, target);
  }
}

std::uint64_t max_code(std::uint32_t width, const std::byte* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(Max)(width, values, count);
}

}  // namespace hdbench
#endif  // HWY_ONCE
