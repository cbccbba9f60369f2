#include "engine/kernel/ids.h"

#include <hwy/highway.h>

#include <bit>
#include <cstring>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/cpu_tuning.h"
#include "engine/kernel/word_mask-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Stores a vector of values as ids, each cut to the id's width.
template <typename Id, typename D, typename V>
HWY_INLINE void store_ids(D d, V v, Id* ids) {
  using T = hn::TFromD<D>;
  if constexpr (sizeof(T) == sizeof(Id)) {
    hn::StoreU(v, d, ids);
  } else if constexpr (sizeof(T) == 4 && sizeof(Id) == 1) {
    // Highway 1.0.3 truncates 32 to 8 bits wrongly for AVX3_DL. Saturation is as good: what does
    // not fit is refused by the caller.
    const hn::Rebind<std::uint8_t, D> narrow;
    const hn::RebindToSigned<D> signed_values;
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(signed_values, v)), narrow, ids);
  } else {
    const hn::Rebind<Id, D> narrow;
    hn::StoreU(hn::TruncateTo(narrow, v), narrow, ids);
  }
}

// One word of 64 rows; returns `seen` with the differences or-ed in.
template <typename T, typename Id, typename V>
HWY_INLINE V word_to_ids(const T* HWY_RESTRICT values, T base, Id* HWY_RESTRICT ids, V seen) {
  const hn::CappedTag<T, kWordRows> d;
  for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d)) {
    const auto v = hn::Sub(hn::LoadU(d, values + i), hn::Set(d, base));
    seen = hn::Or(seen, v);
    store_ids<Id>(d, v, ids + i);
  }
  return seen;
}

// The bits that the lanes have, or-ed.
template <typename D, typename V>
std::uint64_t bits_of(D d, V v) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T lanes[kWordRows] = {};
  hn::StoreU(v, d, lanes);
  T all = 0;
  for (const T lane : lanes) all = static_cast<T>(all | lane);
  return all;
}

// Values less `base` as ids. Returns all differences or-ed: the caller compares them with the id's
// width and refuses ids that were cut, so the loop tests nothing.
template <typename T, typename Id>
std::uint64_t ids_of(const IdSource& source, T base, std::byte* out) {
  auto* const ids = reinterpret_cast<Id*>(out);
  const auto* values = reinterpret_cast<const T*>(source.values);
  const hn::CappedTag<T, kWordRows> d;
  auto seen = hn::Zero(d);
  const std::size_t whole = source.rows / kWordRows;
  const FetchAhead ahead;
  constexpr std::size_t kWordBytes = kWordRows * sizeof(T);
  for (std::size_t w = 0; w < whole; ++w) {
    // Ids of words without a selected row stay as they are: they are never read.
    if (source.bits != nullptr && source.bits[w] == 0) continue;
    ahead.fetch(values + w * kWordRows, kWordBytes);
    seen = word_to_ids(values + w * kWordRows, base, ids + w * kWordRows, seen);
  }
  const std::size_t left = source.rows % kWordRows;
  if (left != 0 && (source.bits == nullptr || source.bits[whole] != 0)) {
    // The last rows in a word of their own, filled up with ids of 0, which set no bit.
    HWY_ALIGN T padded[kWordRows];
    for (T& value : padded) value = base;
    std::memcpy(padded, values + whole * kWordRows, left * sizeof(T));
    seen = word_to_ids(padded, base, ids + whole * kWordRows, seen);
  }
  return bits_of(d, seen);
}

// Chooses the loop for the id's width. Ids are never wider than the values.
template <typename T>
std::uint64_t ids_from(const IdSource& source, std::uint64_t from, std::uint32_t width,
                       std::byte* ids) {
  const auto base = static_cast<T>(from);
  if (width == 1) return ids_of<T, std::uint8_t>(source, base, ids);
  if constexpr (sizeof(T) >= 2) {
    if (width == 2) return ids_of<T, std::uint16_t>(source, base, ids);
  }
  if constexpr (sizeof(T) >= 4) {
    if (width == 4) return ids_of<T, std::uint32_t>(source, base, ids);
  }
  HDB_CHECK(false, "ids are 1, 2 or 4 bytes wide and not wider than the values");
  return UINT64_MAX;
}

// The first and the last value decide most often; then words of rows, or-ing their differences.
template <typename T>
bool equal_all(const std::byte* bytes, std::size_t count) {
  const auto* values = reinterpret_cast<const T*>(bytes);
  T first;
  std::memcpy(&first, values, sizeof(T));
  T last;
  std::memcpy(&last, values + count - 1, sizeof(T));
  if (first != last) return false;
  const hn::CappedTag<T, kWordRows> d;
  const auto same = hn::Set(d, first);
  std::size_t i = 0;
  for (; i + kWordRows <= count; i += kWordRows) {
    // One test for 64 rows: a lane of `different` is zero while all its values equal `first`.
    auto different = hn::Zero(d);
    for (std::size_t lane = 0; lane < kWordRows; lane += hn::Lanes(d)) {
      different = hn::Or(different, hn::Xor(hn::LoadU(d, values + i + lane), same));
    }
    if (!hn::AllTrue(d, hn::Eq(different, hn::Zero(d)))) return false;
  }
  for (; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i, sizeof(T));
    if (value != first) return false;
  }
  return true;
}

// Or-s the ids of one key column into the combined ids, shifted to the bits of that column.
template <typename From, typename To>
void add_part(const IdPart& part, std::size_t words, std::byte* out) {
  const auto* ids = reinterpret_cast<const From*>(part.ids);
  auto* combined = reinterpret_cast<To*>(out);
  const hn::CappedTag<To, kWordRows> d;
  const int shift = static_cast<int>(part.shift);
  // Whole words: both arrays have space past the last row, where combined ids are undefined.
  for (std::size_t i = 0; i < words * kWordRows; i += hn::Lanes(d)) {
    auto v = hn::Zero(d);
    if constexpr (sizeof(From) == sizeof(To)) {
      v = hn::LoadU(d, ids + i);
    } else {
      const hn::Rebind<From, decltype(d)> from;
      v = hn::PromoteTo(d, hn::LoadU(from, ids + i));
    }
    hn::StoreU(hn::Or(hn::LoadU(d, combined + i), hn::ShiftLeftSame(v, shift)), d, combined + i);
  }
}

// Moves the rows of one id from `left` to `taken`, and counts them.
template <typename Id>
std::size_t take_equal_to(const EqualIds& equal, std::uint64_t* left, std::uint64_t* taken) {
  const auto* const ids = reinterpret_cast<const Id*>(equal.ids);
  const auto id = static_cast<Id>(equal.id);
  int count = 0;
  for (std::size_t w = 0; w < equal.words; ++w) {
    const std::uint64_t word =
        left[w] & mask_word(ids + w * kWordRows,
                            [=](auto d, auto v) HWY_ATTR { return hn::Eq(v, hn::Set(d, id)); });
    // Disjoint: a row that is taken leaves `left`, so later ids do not find it again.
    taken[w] = word;
    left[w] ^= word;
    count += std::popcount(word);
  }
  return static_cast<std::size_t>(count);
}

}  // namespace

// The entries of each target, dispatched below: they choose the loops by width.
std::uint64_t ToIds(const IdSource& source, std::uint64_t base, std::uint32_t width,
                    std::byte* ids) {
  switch (source.width) {
    case 1: return ids_from<std::uint8_t>(source, base, width, ids);
    case 2: return ids_from<std::uint16_t>(source, base, width, ids);
    case 4: return ids_from<std::uint32_t>(source, base, width, ids);
    default: return ids_from<std::uint64_t>(source, base, width, ids);
  }
}

bool AllEqual(std::uint32_t width, const std::byte* values, std::size_t count) {
  switch (width) {
    case 1: return equal_all<std::uint8_t>(values, count);
    case 2: return equal_all<std::uint16_t>(values, count);
    case 4: return equal_all<std::uint32_t>(values, count);
    default: return equal_all<std::uint64_t>(values, count);
  }
}

void AddIds(const IdPart& part, std::size_t words, std::uint32_t width, std::byte* combined) {
  switch (part.width * 8 + width) {
    // Both widths in one number: bits of the part's id, plus bytes of the combined one.
    case 8 + 1: return add_part<std::uint8_t, std::uint8_t>(part, words, combined);
    case 8 + 2: return add_part<std::uint8_t, std::uint16_t>(part, words, combined);
    case 8 + 4: return add_part<std::uint8_t, std::uint32_t>(part, words, combined);
    case 16 + 2: return add_part<std::uint16_t, std::uint16_t>(part, words, combined);
    case 16 + 4: return add_part<std::uint16_t, std::uint32_t>(part, words, combined);
    case 32 + 4: return add_part<std::uint32_t, std::uint32_t>(part, words, combined);
    default: HDB_CHECK(false, "ids are combined at their width or a wider one");
  }
}

std::size_t TakeEqual(const EqualIds& equal, std::uint64_t* left, std::uint64_t* taken) {
  switch (equal.width) {
    case 1: return take_equal_to<std::uint8_t>(equal, left, taken);
    case 2: return take_equal_to<std::uint16_t>(equal, left, taken);
    default: return take_equal_to<std::uint32_t>(equal, left, taken);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(ToIds);
HWY_EXPORT(AllEqual);
HWY_EXPORT(AddIds);
HWY_EXPORT(TakeEqual);

std::uint64_t to_ids(const IdSource& source, std::uint64_t base, std::uint32_t width,
                     std::byte* ids) {
  return HWY_DYNAMIC_DISPATCH(ToIds)(source, base, width, ids);
}

bool all_equal(std::uint32_t width, const std::byte* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(AllEqual)(width, values, count);
}

void add_ids(const IdPart& part, std::size_t words, std::uint32_t combined_width,
             std::byte* combined) {
  HWY_DYNAMIC_DISPATCH(AddIds)(part, words, combined_width, combined);
}

std::size_t take_equal(const EqualIds& equal, std::uint64_t* left, std::uint64_t* taken) {
  HDB_DCHECK(equal.width == 1 || equal.width == 2 || equal.width == 4, "ids of 1, 2 or 4 bytes");
  return HWY_DYNAMIC_DISPATCH(TakeEqual)(equal, left, taken);
}

}  // namespace hdbench
#endif  // HWY_ONCE
