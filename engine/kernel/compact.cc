#include "engine/kernel/compact.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/cpu_tuning.h"

// Elements of one and two bytes are packed by byte permutes of AVX-512, which Highway leaves out
// unless they are wanted.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/compact.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

#include "engine/kernel/packer-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

// The selection of 64 rows; without a bitmap all are selected.
std::uint64_t word_at(const CompactSource& source, std::size_t w) {
  return source.bits == nullptr ? ~std::uint64_t{0} : source.bits[w];
}

// Elements that fit a lane, a word of 64 rows at a time. The packer collects whole cache lines, so
// that results larger than the caches are stored past them.
template <typename T>
Compacted compact_vector(const CompactSource& source, std::byte* packed, Stores stores) {
  const auto* values = reinterpret_cast<const T*>(source.values);
  Packer<T> packer(packed, stores);
  const FetchAhead ahead;
  const std::size_t whole = source.rows / kWordRows;
  for (std::size_t w = 0; w < whole; ++w) {
    packer.take_word(values + w * kWordRows, word_at(source, w));
    // A pass over a thin selection does not read the words that it skips: none is fetched there.
    if (word_at(source, w) != 0) ahead.fetch(values + w * kWordRows, kWordRows * sizeof(T));
  }
  if (const std::size_t left = source.rows % kWordRows; left != 0) {
    // Bits beyond the last row may be set.
    const std::uint64_t word = word_at(source, whole) & tail_mask(left);
    packer.take_tail(values + whole * kWordRows, word);
  }
  return packer.finish();
}

// Elements of 16 bytes, which lie in the result as they are.
template <bool kPastCaches>
Compacted compact_wide(const CompactSource& source, std::byte* packed) {
  const hn::CappedTag<std::uint64_t, 2> d;
  const auto* const values = reinterpret_cast<const std::uint64_t*>(source.values);
  auto* to = reinterpret_cast<std::uint64_t*>(packed);
  const auto copy = [&](std::size_t row) HWY_ATTR {
    for (std::size_t i = 0; i < 2; i += hn::Lanes(d)) {
      const auto v = hn::LoadU(d, values + 2 * row + i);
      if constexpr (kPastCaches) {
        hn::Stream(v, d, to + i);
      } else {
        hn::Store(v, d, to + i);
      }
    }
    to += 2;
  };
  for (std::size_t w = 0; w < words_for(source.rows); ++w) {
    // Bits beyond the last row may be set, as above.
    std::uint64_t word = word_at(source, w);
    if (w == source.rows / kWordRows) word &= tail_mask(source.rows);
    // A full word is copied without searching for its bits.
    if (word == ~std::uint64_t{0}) {
      for (std::size_t i = 0; i < kWordRows; ++i) copy(w * kWordRows + i);
    } else {
      for (; word != 0; word &= word - 1)
        copy(w * kWordRows + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
  // Stores past the caches are not ordered with later ones without this.
  if constexpr (kPastCaches) hwy::FlushStream();
  return {static_cast<std::size_t>(to - reinterpret_cast<std::uint64_t*>(packed)) / 2, 0};
}

}  // namespace

Compacted Compact(const CompactSource& source, std::byte* packed, Stores stores) {
  switch (source.width) {
    case 1: return compact_vector<std::uint8_t>(source, packed, stores);
    case 2: return compact_vector<std::uint16_t>(source, packed, stores);
    case 4: return compact_vector<std::uint32_t>(source, packed, stores);
    case 8: return compact_vector<std::uint64_t>(source, packed, stores);
    default:
      return stores == Stores::kPastCaches ? compact_wide<true>(source, packed)
                                           : compact_wide<false>(source, packed);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(Compact);

Compacted compact(const CompactSource& source, std::byte* packed, Stores stores) {
  HDB_CHECK(source.width != 0 && source.width <= 16 && std::has_single_bit(source.width),
            "an element is 1, 2, 4, 8 or 16 bytes wide");
  return HWY_DYNAMIC_DISPATCH(Compact)(source, packed, stores);
}

}  // namespace hdbench
#endif  // HWY_ONCE
