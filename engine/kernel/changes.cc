#include "engine/kernel/changes.h"

#include <hwy/highway.h>

#include <algorithm>

#include "engine/kernel/bits.h"
#include "engine/kernel/word_mask-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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

HWY_EXPORT(NoteChanges);
HWY_EXPORT(BytesOfBits);

void note_changes(const std::int64_t* values, std::int64_t before, std::size_t count,
                  std::uint64_t* bits) {
  HWY_DYNAMIC_DISPATCH(NoteChanges)(values, before, count, bits);
}

void bytes_of_bits(const std::uint64_t* bits, std::size_t count, std::byte* bytes) {
  HWY_DYNAMIC_DISPATCH(BytesOfBits)(bits, count, bytes);
}

}  // namespace hdbench
#endif  // HWY_ONCE
