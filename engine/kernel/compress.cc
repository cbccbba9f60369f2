#include "engine/kernel/compress.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "engine/base/check.h"
#include "engine/base/demote.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/fetch_ahead.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/compress.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

#include "engine/kernel/packer-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

std::uint64_t word_at(const CompressSource& source, std::size_t w) {
  return source.bits == nullptr ? ~std::uint64_t{0} : source.bits[w];
}

// Where the source is to be; call when the word was taken.
HWY_INLINE void demote_word(const CompressSource& source, const void* values, std::size_t bytes) {
  if (source.reads != Reads::kDemoted) return;
  const auto* begin = static_cast<const std::byte*>(values);
  demote_lines(begin, begin + bytes);
}

// Front to back.
template <typename T>
Compressed compress_linear(const CompressSource& source, std::byte* packed, Stores stores) {
  const auto* values = reinterpret_cast<const T*>(source.values);
  Packer<T> packer(packed, stores);
  const std::size_t whole = source.rows / kWordRows;
  for (std::size_t w = 0; w < whole; ++w) {
    packer.take_word(values + w * kWordRows, word_at(source, w));
    demote_word(source, values + w * kWordRows, kWordRows * sizeof(T));
  }
  if (const std::size_t left = source.rows % kWordRows; left != 0) {
    const std::uint64_t word = word_at(source, whole) & tail_mask(left);
    packer.take_tail(values + whole * kWordRows, word);
  }
  return packer.finish();
}

// Several stretches at a time, a word of each in turn: prefetchers stop at a page's end, and with
// several of them at work more lines are in flight (stream.h).
constexpr std::size_t kStretches = 4;

// Where a stretch's packer lies: a load waits for an earlier store whose address ends in the same
// 12 bits, and the packers' stages are loaded between stores to the result. Where each begins a
// page the time does not depend on where the kernel placed the stack of the process.
constexpr std::size_t kAliasBytes = 4096;
template <typename T>
struct alignas(kAliasBytes) PackerPlace {
  std::optional<Packer<T>> packer;
};

template <typename T>
Compressed compress_interleaved(const CompressSource& source, std::byte* packed) {
  const auto* values = reinterpret_cast<const T*>(source.values);
  const std::size_t words = source.rows / kWordRows / kStretches;  // of each stretch
  PackerPlace<T> places[kStretches];
  std::size_t count = 0;
  for (std::size_t s = 0; s < kStretches; ++s) {
    places[s].packer.emplace(packed + count * sizeof(T), Stores::kPastCaches);
    for (std::size_t w = 0; w < words; ++w)
      count += static_cast<std::size_t>(std::popcount(word_at(source, s * words + w)));
  }
  constexpr std::size_t kWordBytes = kWordRows * sizeof(T);
  const FetchAhead ahead{source.values, words * kStretches * kWordBytes, sizeof(T)};
  const std::size_t distance = core_habit().packing;
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t s = 0; s < kStretches; ++s) {
      const std::size_t at = s * words + w;
      if (word_at(source, at) != 0) {
        ahead.fetch_near(at * kWordBytes, kWordBytes, distance);
      }
      places[s].packer->take_word(values + at * kWordRows, word_at(source, at));
    }
  }
  // What no stretch took.
  const std::size_t done = words * kStretches;
  Compressed all = compress_linear<T>(
      {source.width, source.values + done * kWordRows * sizeof(T), source.rows - done * kWordRows,
       source.bits == nullptr ? nullptr : source.bits + done},
      packed + count * sizeof(T), Stores::kPastCaches);
  for (PackerPlace<T>& place : places) {
    const Compressed part = place.packer->finish();
    all.count += part.count;
    all.highest = std::max(all.highest, part.highest);
  }
  return all;
}

// Elements of 16 bytes, which lie in the result as they are.
template <bool kPastCaches>
Compressed compress_wide(const CompressSource& source, std::byte* packed) {
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
    std::uint64_t word = word_at(source, w);
    if (w == source.rows / kWordRows) word &= tail_mask(source.rows);
    if (word == ~std::uint64_t{0}) {
      for (std::size_t i = 0; i < kWordRows; ++i) copy(w * kWordRows + i);
    } else {
      for (; word != 0; word &= word - 1)
        copy(w * kWordRows + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
  if constexpr (kPastCaches) hwy::FlushStream();
  return {static_cast<std::size_t>(to - reinterpret_cast<std::uint64_t*>(packed)) / 2, 0};
}

template <typename T>
Compressed compress_vector(const CompressSource& source, std::byte* packed, Stores stores) {
  constexpr std::size_t kInterleavedRowsMin = kStretches * 512;
  // What is demoted has waited for a device: several places at a time gain nothing there.
  return stores == Stores::kPastCaches && source.rows >= kInterleavedRowsMin &&
                 source.reads == Reads::kCached && core_habit().packing_interleaved
             ? compress_interleaved<T>(source, packed)
             : compress_linear<T>(source, packed, stores);
}

}  // namespace

Compressed Compress(const CompressSource& source, std::byte* packed, Stores stores) {
  switch (source.width) {
    case 1: return compress_vector<std::uint8_t>(source, packed, stores);
    case 2: return compress_vector<std::uint16_t>(source, packed, stores);
    case 4: return compress_vector<std::uint32_t>(source, packed, stores);
    case 8: return compress_vector<std::uint64_t>(source, packed, stores);
    default:
      return stores == Stores::kPastCaches ? compress_wide<true>(source, packed)
                                           : compress_wide<false>(source, packed);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(Compress);

Compressed compress(const CompressSource& source, std::byte* packed, Stores stores) {
  HDB_CHECK(source.width != 0 && source.width <= 16 && std::has_single_bit(source.width),
            "an element is 1, 2, 4, 8 or 16 bytes wide");
  return HWY_DYNAMIC_DISPATCH(Compress)(source, packed, stores);
}

}  // namespace hdbench
#endif  // HWY_ONCE
