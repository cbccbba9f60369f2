// The rows of a block, 64 at a time, for kernels that are compiled once a target: words without a
// selected row are skipped, and the rows behind the last whole word are worked on in a copy.
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
#include "engine/kernel/rows_ahead.h"
#include "engine/kernel/selection.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {

constexpr std::uint64_t kAllRows = ~std::uint64_t{0};

// Lanes whose bit of the word is set, the first lane's being bit `first`.
template <typename D>
HWY_INLINE hwy::HWY_NAMESPACE::Mask<D> mask_at(D d, std::uint64_t word, std::size_t first) {
  const std::uint64_t bits = word >> first;
  return hwy::HWY_NAMESPACE::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
}

// How far ahead of a step lines of the block's own column are asked for. A line behind the column's
// end is asked for in vain, never touched. Where rows are selected, kFetchedBytes: few lines then
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
// word's 64 elements, zeros behind the last row.
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
