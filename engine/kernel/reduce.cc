#include "engine/kernel/reduce.h"

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/column/order_key.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/word_mask-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most 64 bytes a vector, and so a whole number of vectors a word.
template <typename T>
using BlockTag = hn::CappedTag<T, 64 / sizeof(T)>;

template <typename D, typename V>
HWY_INLINE std::uint64_t sum_of_lanes(D d, V v) {
  HWY_ALIGN hn::TFromD<D> lanes[64 / sizeof(hn::TFromD<D>)];
  hn::Store(v, d, lanes);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) sum += static_cast<std::uint64_t>(lanes[i]);
  return sum;
}

// Values are biased to unsigned, so that a null is 0 and adds nothing. The halves of 64-bit values
// are summed by themselves.
IntegerTotal total_of_longs(const ValueBlock& block) {
  const BlockTag<std::uint64_t> d;
  const auto bias = hn::Set(d, std::uint64_t{1} << 63);
  const auto low_half = hn::Set(d, std::uint64_t{0xffffffff});
  const auto zero = hn::Zero(d);
  auto low = zero, high = zero, nulls = zero;
  std::uint64_t rows = 0;
  each_word<std::uint64_t>(
      block, [&](std::size_t, const std::uint64_t* values, std::uint64_t word) HWY_ATTR {
        rows += static_cast<std::uint64_t>(std::popcount(word));
        for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d)) {
          auto biased = hn::Xor(hn::LoadU(d, values + i), bias);
          auto null = hn::Eq(biased, zero);
          if (word != kAllRows) {
            const auto mask = mask_at(d, word, i);
            biased = hn::IfThenElseZero(mask, biased);
            null = hn::And(null, mask);
          }
          nulls = hn::Sub(nulls, hn::VecFromMask(d, null));
          low = hn::Add(low, hn::And(biased, low_half));
          high = hn::Add(high, hn::ShiftRight<32>(biased));
        }
      });
  IntegerTotal total{static_cast<std::int64_t>(sum_of_lanes(d, high)), sum_of_lanes(d, low),
                     sum_of_lanes(d, nulls)};
  total.high -= static_cast<std::int64_t>((rows - total.nulls) << 31);
  return total;
}

// T: unsigned, as wide as the values; Wide: of the sums.
template <typename T, typename Wide>
IntegerTotal total_of_narrow(const ValueBlock& block, T bias) {
  const hn::CappedTag<Wide, 64 / sizeof(Wide)> d;
  const hn::Rebind<T, decltype(d)> narrow;
  const auto zero = hn::Zero(d);
  auto sum = zero, nulls = zero;
  std::uint64_t rows = 0;
  each_word<T>(block, [&](std::size_t, const T* values, std::uint64_t word) HWY_ATTR {
    rows += static_cast<std::uint64_t>(std::popcount(word));
    for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d)) {
      auto wide = hn::PromoteTo(d, hn::Xor(hn::LoadU(narrow, values + i), hn::Set(narrow, bias)));
      auto null = hn::Eq(wide, zero);
      if (word != kAllRows) {
        const auto mask = mask_at(d, word, i);
        wide = hn::IfThenElseZero(mask, wide);
        null = hn::And(null, mask);
      }
      sum = hn::Add(sum, wide);
      nulls = hn::Sub(nulls, hn::VecFromMask(d, null));
    }
  });
  // Types without a null have no bias.
  IntegerTotal total{0, sum_of_lanes(d, sum), bias == 0 ? 0 : sum_of_lanes(d, nulls)};
  const auto signed_total =
      static_cast<std::int64_t>(total.low) -
      static_cast<std::int64_t>(bias) * static_cast<std::int64_t>(rows - total.nulls);
  total.high = signed_total >> 32;
  total.low = static_cast<std::uint64_t>(signed_total) & 0xffffffff;
  return total;
}

template <typename T>
constexpr T neutral_of(bool highest) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return highest ? -Limits::infinity() : Limits::infinity();
  if constexpr (std::is_unsigned_v<T>) return highest ? 0 : Limits::max();
  return static_cast<T>(highest ? -Limits::max() : Limits::max());
}

// Unselected values and nulls become the neutral one; a signed null is below all others already.
template <bool kHighest, typename T, typename D, typename V>
HWY_INLINE V without_nulls(D d, V v, V neutral) {
  if constexpr (std::is_floating_point_v<T>) {
    return hn::IfThenElse(hn::Eq(v, v), v, neutral);
  } else if constexpr (std::is_signed_v<T> && !kHighest) {
    return hn::IfThenElse(hn::Eq(v, hn::Set(d, std::numeric_limits<T>::min())), neutral, v);
  } else {
    return v;
  }
}

template <bool kHighest, typename T>
T extreme_of(const ValueBlock& block) {
  const BlockTag<T> d;
  const auto neutral = hn::Set(d, neutral_of<T>(kHighest));
  auto best = neutral, best2 = neutral;
  const auto better = [&](auto a, auto b)
                          HWY_ATTR { return kHighest ? hn::Max(a, b) : hn::Min(a, b); };
  each_word<T>(block, [&](std::size_t, const T* values, std::uint64_t word) HWY_ATTR {
    const std::size_t lanes = hn::Lanes(d);
    if (word == kAllRows && lanes <= kWordRows / 2) {
      for (std::size_t i = 0; i < kWordRows; i += 2 * lanes) {
        const auto v = hn::LoadU(d, values + i);
        const auto v2 = hn::LoadU(d, values + i + lanes);
        best = better(without_nulls<kHighest, T>(d, v, neutral), best);
        best2 = better(without_nulls<kHighest, T>(d, v2, neutral), best2);
      }
      return;
    }
    for (std::size_t i = 0; i < kWordRows; i += lanes) {
      const auto v = hn::IfThenElse(mask_at(d, word, i), hn::LoadU(d, values + i), neutral);
      best = better(without_nulls<kHighest, T>(d, v, neutral), best);
    }
  });
  HWY_ALIGN T lanes[64 / sizeof(T)];
  hn::Store(better(best, best2), d, lanes);
  T result = lanes[0];
  for (std::size_t i = 1; i < hn::Lanes(d); ++i)
    result = kHighest ? std::max(result, lanes[i]) : std::min(result, lanes[i]);
  return result;
}

template <typename T>
std::int64_t key_of(T value) {
  if constexpr (std::is_floating_point_v<T>) return float_order_key(static_cast<double>(value));
  return static_cast<std::int64_t>(value);
}

template <bool kHighest>
std::int64_t extreme_key(QType type, const ValueBlock& block) {
  switch (type_width(type)) {
    case 1: return key_of(extreme_of<kHighest, std::uint8_t>(block));
    case 2: return key_of(extreme_of<kHighest, std::int16_t>(block));
    case 4:
      return type == QType::kReal ? key_of(extreme_of<kHighest, float>(block))
                                  : key_of(extreme_of<kHighest, std::int32_t>(block));
    default: break;
  }
  return is_floating(type) ? key_of(extreme_of<kHighest, double>(block))
                           : key_of(extreme_of<kHighest, std::int64_t>(block));
}

// From narrower elements, `convert` making doubles of a vector of them. Returns how many were done.
template <typename T, typename Convert>
HWY_INLINE std::size_t widen_all(const std::byte* bytes, std::size_t count, double* doubles,
                                 const Convert& convert) {
  const BlockTag<double> d;
  const hn::Rebind<T, decltype(d)> narrow;
  const auto* const values = reinterpret_cast<const T*>(bytes);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  constexpr std::size_t kStep = kLineBytes / sizeof(T);
  for (; i + kStep <= count; i += kStep) {
    __builtin_prefetch(bytes + i * sizeof(T) + kFetchedBytes);
    for (std::size_t k = i; k < i + kStep; k += lanes)
      hn::StoreU(convert(d, hn::LoadU(narrow, values + k)), d, doubles + k);
  }
  return i;
}

std::size_t widen_reals(const std::byte* bytes, std::size_t count, double* doubles) {
  return widen_all<float>(bytes, count, doubles,
                          [](auto d, auto v) HWY_ATTR { return hn::PromoteTo(d, v); });
}

std::size_t widen_ints(const std::byte* bytes, std::size_t count, double* doubles) {
  return widen_all<std::int32_t>(bytes, count, doubles, [](auto d, auto v) HWY_ATTR {
    const auto wide = hn::PromoteTo(d, v);
    const auto null = hn::Eq(wide, hn::Set(d, double{std::numeric_limits<std::int32_t>::min()}));
    return hn::IfThenElse(null, hn::Set(d, std::numeric_limits<double>::quiet_NaN()), wide);
  });
}

std::size_t widen_longs(const std::byte* bytes, std::size_t count, double* doubles) {
  return widen_all<std::int64_t>(bytes, count, doubles, [](auto d, auto v) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto null =
        hn::RebindMask(d, hn::Eq(v, hn::Set(di, std::numeric_limits<std::int64_t>::min())));
    return hn::IfThenElse(null, hn::Set(d, std::numeric_limits<double>::quiet_NaN()),
                          hn::ConvertTo(d, v));
  });
}

}  // namespace

IntegerTotal Total(QType type, const ValueBlock& block) {
  switch (type_width(type)) {
    case 1: return total_of_narrow<std::uint8_t, std::uint32_t>(block, 0);
    case 2: return total_of_narrow<std::uint16_t, std::uint32_t>(block, 1u << 15);
    case 4: return total_of_narrow<std::uint32_t, std::uint64_t>(block, 1u << 31);
    default: return total_of_longs(block);
  }
}
std::int64_t Lowest(QType type, const ValueBlock& block) { return extreme_key<false>(type, block); }
std::int64_t Highest(QType type, const ValueBlock& block) { return extreme_key<true>(type, block); }
std::size_t Widen(QType type, const std::byte* values, std::size_t count, double* doubles) {
  if (type == QType::kReal) return widen_reals(values, count, doubles);
  if (is_floating(type) || type_width(type) < 4) return 0;
  return type_width(type) == 4 ? widen_ints(values, count, doubles)
                               : widen_longs(values, count, doubles);
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(Total);
HWY_EXPORT(Lowest);
HWY_EXPORT(Highest);
HWY_EXPORT(Widen);

IntegerTotal integer_total(QType type, const ValueBlock& block) {
  HDB_DCHECK(block.rows <= kReducedRowsMax, "lanes of 32 bits hold a block's sum");
  return HWY_DYNAMIC_DISPATCH(Total)(type, block);
}

std::int64_t lowest_key(QType type, const ValueBlock& block) {
  return HWY_DYNAMIC_DISPATCH(Lowest)(type, block);
}

std::int64_t highest_key(QType type, const ValueBlock& block) {
  return HWY_DYNAMIC_DISPATCH(Highest)(type, block);
}

void widen_to_doubles(QType type, const std::byte* values, std::size_t count, double* doubles) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(Widen)(type, values, count, doubles);
  to_doubles(type, values + done * type_width(type), count - done, doubles + done);
}

}  // namespace hdbench
#endif  // HWY_ONCE
