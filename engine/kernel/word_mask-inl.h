// 64 values and a word of bits, for the kernels that are compiled once a target: a test as a word,
// a word as masks, and the rows of a block a word at a time.
//
// Included by their sources after foreach_target.h, once a target: hence the guard that toggles.
#if defined(HDBENCH_KERNEL_WORD_MASK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HDBENCH_KERNEL_WORD_MASK_INL_H
#undef HDBENCH_KERNEL_WORD_MASK_INL_H
#else
#define HDBENCH_KERNEL_WORD_MASK_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/kernel/bits.h"
#include "engine/kernel/reduce.h"
#include "engine/kernel/selection.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {

// At most 64 bytes a vector, and so a whole number of vectors a word.
template <typename T>
using WordTag = hwy::HWY_NAMESPACE::CappedTag<T, 64 / sizeof(T)>;

// A vector's mask as the low bits of a word, in a register: a byte a vector, stored and loaded
// again as one word, would stall on the stores.
template <typename D, typename M>
HWY_INLINE std::uint64_t bits_of_mask(D d, M mask) {
  const std::size_t lanes = hwy::HWY_NAMESPACE::Lanes(d);
  const std::uint64_t lane_bits = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
  std::uint64_t bits = 0;
  hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
  // In a general register. GCC 12 otherwise keeps a mask of 32 lanes in 4 bytes of the stack across
  // a call and reads 8 of them back (seen in builds with -fsanitize=thread).
  asm("" : "+r"(bits));
#endif
  return bits & lane_bits;
}

// Bit i is set when `test(d, v)` holds for values[i]. The values need no alignment.
template <typename T, typename VectorTest>
HWY_INLINE std::uint64_t mask_word(const T* HWY_RESTRICT values, const VectorTest& test) {
  namespace hn = hwy::HWY_NAMESPACE;
  const WordTag<T> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d))
    word |= bits_of_mask(d, test(d, hn::LoadU(d, values + i))) << i;
  return word;
}

// Lanes of v that equal one of four values.
template <typename D, typename V>
HWY_INLINE auto equals_any([[maybe_unused]] D d, V v, const V* any) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET <= HWY_AVX3
  // A compare writes a mask register, and a core writes few of those per cycle: this needs one
  // compare instead of four.
  const auto least01 = hn::Min(hn::Xor(v, any[0]), hn::Xor(v, any[1]));
  const auto least23 = hn::Min(hn::Xor(v, any[2]), hn::Xor(v, any[3]));
  return hn::Eq(hn::Min(least01, least23), hn::Zero(d));
#else
  return hn::Or(hn::Or(hn::Eq(v, any[0]), hn::Eq(v, any[1])),
                hn::Or(hn::Eq(v, any[2]), hn::Eq(v, any[3])));
#endif
}

constexpr std::uint64_t kAllRows = ~std::uint64_t{0};

// Lanes whose bit of the word is set, the first lane's being bit `first`.
template <typename D>
HWY_INLINE hwy::HWY_NAMESPACE::Mask<D> mask_at(D d, std::uint64_t word, std::size_t first) {
  const std::uint64_t bits = word >> first;
  return hwy::HWY_NAMESPACE::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
}

// How far ahead of a step lines of the block's own column are requested. A line behind the column's
// end is requested in vain, never touched. Where rows are selected, kFetchedBytes: few lines then
// are of rows that are not. Where all rows are read, kFetchedFarBytes: the hardware's prefetchers
// stop at the end of a page.
constexpr std::size_t kFetchedBytes = 1024;
constexpr std::size_t kFetchedFarBytes = 4096;

// Asks for lines, to a level as __builtin_prefetch counts them.
template <int kLevel>
HWY_INLINE void ask_for(const std::byte* begin, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += kLineBytes)
    __builtin_prefetch(begin + line, /*rw=*/0, kLevel);
}

// Calls step(row, values, word) for each word of 64 rows that has a selected one; `values` are the
// word's 64 elements, zeros behind the last row, in a copy where the word is not whole.
template <typename T, typename Step>
HWY_INLINE void each_word(const ValueBlock& block, const Step& step) {
  const auto* const values = reinterpret_cast<const T*>(block.values);
  const std::size_t whole = block.rows / kWordRows;
  constexpr std::size_t kWordBytes = kWordRows * sizeof(T);
  RowsAhead ahead = block.ahead;
  if (ahead.begin == nullptr && block.bits == nullptr && whole != 0)
    ahead = {block.values + kFetchedFarBytes, sizeof(T)};
  const std::size_t ahead_bytes = kWordRows * ahead.width;
  for (std::size_t w = 0; w < whole; ++w) {
    const std::uint64_t word = block.bits == nullptr ? kAllRows : block.bits[w];
    if (word == 0) continue;
    if (ahead.begin != nullptr)
      ask_for<2>(ahead.begin + w * ahead_bytes, ahead_bytes);
    else
      ask_for<3>(block.values + w * kWordBytes + kFetchedBytes, kWordBytes);
    step(w * kWordRows, values + w * kWordRows, word);
  }
  const std::size_t left = block.rows % kWordRows;
  if (left == 0) return;
  const std::uint64_t word =
      (block.bits == nullptr ? kAllRows : block.bits[whole]) & tail_mask(left);
  if (word == 0) return;
  HWY_ALIGN T padded[kWordRows] = {};
  std::memcpy(padded, block.values + whole * kWordRows * sizeof(T), left * sizeof(T));
  step(whole * kWordRows, padded, word);
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
