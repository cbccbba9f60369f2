#include "engine/kernel/selection.h"

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/word_mask-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Bytes of empty lanes of T, in as many whole vectors as there are in `total` bytes; `done`: how
// many bytes these are. One compare and one subtraction a vector, where a mask would be moved and
// counted.
template <typename T>
std::size_t count_empty_bytes([[maybe_unused]] const std::uint8_t* first,
                              [[maybe_unused]] std::size_t total, std::size_t& done) {
  done = 0;
  std::size_t empty = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint8_t> bytes;
  const hn::Repartition<T, decltype(bytes)> d;
  const hn::Repartition<std::uint64_t, decltype(bytes)> wide;
  const auto empty_of = [&](std::size_t at) HWY_ATTR {
    const auto lanes = hn::BitCast(d, hn::LoadU(bytes, first + at));
    return hn::BitCast(bytes, hn::VecFromMask(d, hn::Eq(lanes, hn::Zero(d))));
  };
  const std::size_t step = hn::Lanes(bytes);
  // A byte counts to 255: two vectors of each four, and one of each left at the end.
  constexpr std::size_t kMost = 4 * (std::numeric_limits<std::uint8_t>::max() / 2 - 1);
  for (std::size_t left = total / step; left != 0;) {
    const std::size_t vectors = std::min(left, kMost);
    const std::size_t end = done + vectors * step;
    const std::size_t end_of_fours = done + vectors / 4 * 4 * step;
    left -= vectors;
    auto even = hn::Zero(bytes);
    auto odd = even;
    for (; done < end_of_fours; done += 4 * step) {
      even = hn::Sub(hn::Sub(even, empty_of(done)), empty_of(done + step));
      odd = hn::Sub(hn::Sub(odd, empty_of(done + 2 * step)), empty_of(done + 3 * step));
    }
    for (; done < end; done += step) even = hn::Sub(even, empty_of(done));
    const auto sums = hn::Add(hn::SumsOf8(even), hn::SumsOf8(odd));
    empty += hn::GetLane(hn::SumOfLanes(wide, sums));
  }
#endif
  return empty;
}

// Lanes of T in a word that are not zero: what is below a lane's highest bit carries into it.
template <typename T>
std::size_t count_lanes(std::uint64_t word) {
  constexpr T kHighest = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  constexpr std::uint64_t kHighests = ~std::uint64_t{0} / std::numeric_limits<T>::max() * kHighest;
  const std::uint64_t carried = (word & ~kHighests) + ~kHighests;
  return static_cast<std::size_t>(std::popcount((carried | word) & kHighests));
}

// The same of words that are whole lanes of every type.
template <typename T>
std::size_t count_lanes(const std::uint64_t* bits, std::size_t words) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bits);
  std::size_t done = 0;
  const std::size_t empty = count_empty_bytes<T>(first, words * sizeof(std::uint64_t), done);
  std::size_t count = (done - empty) / sizeof(T);
  for (std::size_t w = done / sizeof(std::uint64_t); w < words; ++w)
    count += count_lanes<T>(bits[w]);
  return count;
}

// Of 64 values, the first of which has one before it.
HWY_INLINE std::uint64_t changed_word(const std::int64_t* HWY_RESTRICT values) {
  const WordTag<std::int64_t> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d)) {
    const auto changed = hn::Ne(hn::LoadU(d, values + i), hn::LoadU(d, values + i - 1));
    word |= bits_of_mask(d, changed) << i;
  }
  return word;
}

}  // namespace

std::size_t CountBits(const std::uint64_t* bits, std::size_t words) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words; ++w) count += static_cast<std::size_t>(std::popcount(bits[w]));
  return count;
}

// Lines that hold a selected element of `width` bytes: 64 / width bits each.
std::size_t CountLines(const std::uint64_t* bits, std::size_t words, std::uint32_t width) {
  switch (width) {
    case 1: return count_lanes<std::uint64_t>(bits, words);
    case 2: return count_lanes<std::uint32_t>(bits, words);
    case 4: return count_lanes<std::uint16_t>(bits, words);
    case 8: return count_lanes<std::uint8_t>(bits, words);
    default: break;
  }
  std::size_t lines = 0;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t word = bits[w] | bits[w] >> 1;
    word = (word | word >> 2) & 0x1111111111111111u;
    lines += static_cast<std::size_t>(std::popcount(word));
  }
  return lines;
}

void NoteChanges(const std::int64_t* values, std::int64_t before, std::size_t count,
                 std::uint64_t* bits) {
  std::int64_t padded[kWordRows + 1] = {};
  // The first word's values have none before them in memory, the last one's may be fewer.
  const auto in_copy = [&](std::size_t w, std::int64_t previous) HWY_ATTR {
    const std::size_t rows = std::min(kWordRows, count - w * kWordRows);
    padded[0] = previous;
    std::copy_n(values + w * kWordRows, rows, padded + 1);
    bits[w] |= changed_word(padded + 1) & tail_mask(rows);
  };
  if (count == 0) return;
  in_copy(0, before);
  const std::size_t whole = count / kWordRows;
  for (std::size_t w = 1; w < whole; ++w) bits[w] |= changed_word(values + w * kWordRows);
  if (whole != 0 && count % kWordRows != 0) in_copy(whole, values[whole * kWordRows - 1]);
}

void BytesOfBits(const std::uint64_t* bits, std::size_t count, std::byte* bytes) {
  const WordTag<std::uint8_t> d;
  const auto one = hn::Set(d, 1);
  HWY_ALIGN std::uint8_t ones[kWordRows];
  for (std::size_t w = 0; w < words_for(count); ++w) {
    const std::size_t rows = std::min(kWordRows, count - w * kWordRows);
    for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d)) {
      const std::uint64_t some = bits[w] >> i;
      const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&some));
      hn::Store(hn::IfThenElseZero(mask, one), d, ones + i);
    }
    std::copy_n(reinterpret_cast<const std::byte*>(ones), rows, bytes + w * kWordRows);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(CountBits);
HWY_EXPORT(CountLines);
HWY_EXPORT(NoteChanges);
HWY_EXPORT(BytesOfBits);

std::size_t count_bits(const std::uint64_t* bits, std::size_t words) {
  return HWY_DYNAMIC_DISPATCH(CountBits)(bits, words);
}

std::size_t count_words(const std::uint64_t* bits, std::size_t words) {
  return HWY_DYNAMIC_DISPATCH(CountLines)(bits, words, 1);
}

std::uint64_t accessed_bytes(const SelectionShape& selection, std::uint32_t width) {
  HDB_DCHECK(width <= 16, "an element is 1, 2, 4, 8 or 16 bytes wide");
  const std::size_t lines =
      HWY_DYNAMIC_DISPATCH(CountLines)(selection.bits, words_for(selection.rows), width);
  return std::min<std::uint64_t>(lines * kLineBytes, selection.rows * width);
}

void note_changes(const std::int64_t* values, std::int64_t before, std::size_t count,
                  std::uint64_t* bits) {
  HWY_DYNAMIC_DISPATCH(NoteChanges)(values, before, count, bits);
}

void bytes_of_bits(const std::uint64_t* bits, std::size_t count, std::byte* bytes) {
  HWY_DYNAMIC_DISPATCH(BytesOfBits)(bits, count, bytes);
}

}  // namespace hdbench
#endif  // HWY_ONCE
