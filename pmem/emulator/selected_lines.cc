#include "pmem/emulator/selected_lines.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pmem/emulator/selected_lines.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR

// One lane has no narrower lanes in it: the caller's own loop does all.
std::size_t CountGroups(const std::uint64_t*, std::size_t, int, std::uint32_t, std::size_t* next) {
  *next = 1;
  return 0;
}

#else

namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint64_t>;

// Words i.. of the bits shifted up by `shift` (1 to 63) places.
hn::Vec<Words> shifted_words(const std::uint64_t* bits, std::size_t i, int shift) {
  const auto low = hn::ShiftLeftSame(hn::LoadU(Words(), bits + i), shift);
  return hn::Or(low, hn::ShiftRightSame(hn::LoadU(Words(), bits + i - 1), 64 - shift));
}

template <typename T>
std::size_t count_groups(hn::Vec<Words> words) {
  const hn::Repartition<T, Words> d;
  return hn::CountTrue(d, hn::Ne(hn::BitCast(d, words), hn::Zero(d)));
}

// Groups of the lanes' bits with any bit set; from word 1 on, as far as whole vectors go.
template <typename T>
std::size_t count_lanes(const std::uint64_t* bits, std::size_t words, int shift,
                        std::size_t* next) {
  const std::size_t step = hn::Lanes(Words());
  std::size_t count = 0;
  std::size_t i = 1;
  if (shift == 0) {
    for (; i + step <= words; i += step) count += count_groups<T>(hn::LoadU(Words(), bits + i));
  } else {
    for (; i + step <= words; i += step) count += count_groups<T>(shifted_words(bits, i, shift));
  }
  *next = i;
  return count;
}

}  // namespace

// Over words [1, words) of the shifted bits, as far as whole vectors go; `next` is where they end.
// Groups are of 8, 16, 32 or 64 bits.
std::size_t CountGroups(const std::uint64_t* bits, std::size_t words, int shift,
                        std::uint32_t group, std::size_t* next) {
  switch (group) {
    case 8: return count_lanes<std::uint8_t>(bits, words, shift, next);
    case 16: return count_lanes<std::uint16_t>(bits, words, shift, next);
    case 32: return count_lanes<std::uint32_t>(bits, words, shift, next);
    default: return count_lanes<std::uint64_t>(bits, words, shift, next);
  }
}

#endif

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench::pmem {

HWY_EXPORT(CountGroups);

namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kLineBytes = 64;

std::uint64_t words_of(std::uint64_t bits) { return (bits + 63) / 64; }

// The selection's bits as they lie in memory's lines: bit j of the shifted bits is the element that
// lies j elements after the start of the first line.
class ShiftedBits {
 public:
  ShiftedBits(const SelectedElements& selection, std::uint64_t phase)
      : bits_(selection.bits),
        words_in_(words_of(selection.elements)),
        tail_mask_(selection.elements % 64 == 0
                       ? ~std::uint64_t{0}
                       : (std::uint64_t{1} << selection.elements % 64) - 1),
        shift_(static_cast<int>(phase % 64)),
        words_before_(phase / 64) {}

  // Word w of the shifted bits. Bits beyond the selection are 0.
  std::uint64_t word(std::uint64_t w) const {
    if (w < words_before_) return 0;
    const std::uint64_t i = w - words_before_;
    if (shift_ == 0) return input(i);
    return input(i) << shift_ | (i > 0 ? input(i - 1) >> (64 - shift_) : 0);
  }

  // Whether words [first, first + count) are made of whole words of the input alone.
  bool reaches(std::uint64_t first, std::uint64_t count) const {
    return first > words_before_ && first - words_before_ + count < words_in_;
  }
  // As word(), without a branch. Requires: reaches(w, 1).
  std::uint64_t whole_word(std::uint64_t w) const {
    const std::uint64_t* in = bits_ + (w - words_before_);
    return in[0] << shift_ | in[-1] >> 1 >> (63 - shift_);
  }
  // A bit set if any is in words [first, first + count). Requires: reaches(first, count).
  std::uint64_t any(std::uint64_t first, std::uint64_t count) const {
    const std::uint64_t* in = bits_ + (first - words_before_);
    std::uint64_t any = in[count - 1] << shift_ | in[-1] >> 1 >> (63 - shift_);
    for (std::uint64_t i = 0; i + 1 < count; ++i) any |= in[i];
    return any;
  }

  int shift() const { return shift_; }
  std::uint64_t words_before() const { return words_before_; }

 private:
  std::uint64_t input(std::uint64_t i) const {
    if (i >= words_in_) return 0;
    return i + 1 == words_in_ ? bits_[i] & tail_mask_ : bits_[i];
  }

  const std::uint64_t* bits_;
  std::uint64_t words_in_;
  std::uint64_t tail_mask_;
  int shift_;
  std::uint64_t words_before_;
};

// Groups of `group` (below 64) neighbouring bits of a word with any bit set.
std::uint64_t groups_in_word(std::uint64_t word, std::uint32_t group) {
  // Or-s each group into its lowest bit; bits of the next group reach only the higher ones.
  for (std::uint32_t width = 1; width < group; width *= 2) word |= word >> width;
  const std::uint64_t firsts = ~std::uint64_t{0} / ((std::uint64_t{1} << group) - 1);
  return static_cast<std::uint64_t>(std::popcount(word & firsts));
}

std::uint64_t groups_of_any(std::uint64_t word, std::uint32_t group) {
  return group >= 64 ? (word != 0 ? 1 : 0) : groups_in_word(word, group);
}

// Groups of a word or less, whole vectors at a time where groups are bytes or more.
std::uint64_t count_small_groups(const ShiftedBits& shifted, const SelectedElements& selection,
                                 std::uint64_t words, std::uint32_t group) {
  // Between the first word and the last two every shifted word is made of whole words of the bits.
  const std::uint64_t whole = selection.elements / 64;
  std::uint64_t count = 0;
  std::uint64_t w = 0;
  if (group >= 8 && whole > 1) {
    std::size_t next = 1;
    count += groups_of_any(shifted.word(shifted.words_before()), group);
    count +=
        HWY_DYNAMIC_DISPATCH(CountGroups)(selection.bits, whole, shifted.shift(), group, &next);
    w = shifted.words_before() + next;
  }
  for (; w < words; ++w) count += groups_of_any(shifted.word(w), group);
  return count;
}

// Groups of whole words. Whether a group has a bit is as good as random: no branch hangs on it but
// at the selection's two ends.
std::uint64_t count_large_groups(const ShiftedBits& shifted, std::uint64_t words,
                                 std::uint32_t group) {
  const std::uint64_t group_words = group / 64;
  std::uint64_t count = 0;
  for (std::uint64_t first = 0; first < words; first += group_words) {
    std::uint64_t any = 0;
    if (shifted.reaches(first, group_words)) {
      any = shifted.any(first, group_words);
    } else {
      const std::uint64_t end = std::min(words, first + group_words);
      for (std::uint64_t w = first; w < end; ++w) any |= shifted.word(w);
    }
    count += any != 0 ? 1 : 0;
  }
  return count;
}

// One bit for each group of `kGroup` bits: whether any of them is set.
template <std::uint32_t kGroup>
std::uint64_t one_bit_a_group(std::uint64_t word) {
  if constexpr (kGroup == 64) return word != 0 ? 1 : 0;
  if constexpr (kGroup == 32) {
    return (static_cast<std::uint32_t>(word) != 0 ? 1 : 0) | (word >> 32 != 0 ? 2 : 0);
  }
  if constexpr (kGroup == 8 || kGroup == 16) {
    // Each group's top bit: the carry of its other bits, or set itself. The product then moves the
    // groups' bits beside one another: 2^(kGroup i) times 2^(64 - kGroup - (kGroup - 1) i).
    constexpr std::uint64_t kTops = kGroup == 8 ? 0x8080808080808080U : 0x8000800080008000U;
    constexpr std::uint64_t kGather = kGroup == 8 ? 0x0102040810204080U : 0x0001000200040008U;
    const std::uint64_t tops = (((word & ~kTops) + ~kTops) | word) & kTops;
    return (tops >> (kGroup - 1)) * kGather >> (64 - kGroup) &
           (~std::uint64_t{0} >> (64 - 64 / kGroup));
  }
  for (std::uint32_t width = 1; width < kGroup; width *= 2) word |= word >> width;
  word &= ~std::uint64_t{0} / ((std::uint64_t{1} << kGroup % 64) - 1);
  // Neighbours move together: 1 bit in every kGroup, 2 in every 2 * kGroup, and so on.
  std::uint32_t bits = 1;
  for (std::uint32_t stride = kGroup; stride < 64; stride *= 2) {
    word |= word >> (stride - bits);
    bits *= 2;
    const std::uint64_t kept = (std::uint64_t{1} << bits) - 1;
    word &=
        stride == 32 ? kept : kept * (~std::uint64_t{0} / ((std::uint64_t{1} << 2 * stride) - 1));
  }
  return word;
}

// The mask of the page whose elements' bits begin at shifted word `first`: kGroup elements a line.
template <std::uint32_t kGroup>
std::uint64_t page_mask(const ShiftedBits& shifted, std::uint64_t first) {
  constexpr std::uint32_t kLinesAWord = 64 / kGroup;
  std::uint64_t mask = 0;
  if (shifted.reaches(first, kGroup)) {
    for (std::uint32_t w = 0; w < kGroup; ++w)
      mask |= one_bit_a_group<kGroup>(shifted.whole_word(first + w)) << w * kLinesAWord % 64;
    return mask;
  }
  for (std::uint32_t w = 0; w < kGroup; ++w) {
    const std::uint64_t word = shifted.word(first + w);
    if (word != 0) mask |= one_bit_a_group<kGroup>(word) << w * kLinesAWord % 64;
  }
  return mask;
}

}  // namespace

std::uint64_t lines_of_extent(const SelectedElements& selection, std::uint32_t line_bytes) {
  const std::uint64_t bytes = selection.elements * selection.element_bytes;
  if (bytes == 0) return 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(selection.address);
  return (begin + bytes - 1) / line_bytes - begin / line_bytes + 1;
}

std::uint64_t lines_selected(const SelectedElements& selection, std::uint32_t line_bytes) {
  HDB_DCHECK(std::has_single_bit(line_bytes), "a line is a power of two");
  if (selection.bits == nullptr) return lines_of_extent(selection, line_bytes);
  if (selection.elements == 0) return 0;
  const auto address = reinterpret_cast<std::uintptr_t>(selection.address);
  // Lines are aligned, the first element need not be: shifting the bits by its place in its line
  // makes every line a group of bits at a multiple of the group's size.
  const std::uint64_t phase = (address & (line_bytes - 1)) / selection.element_bytes;
  const std::uint32_t group = line_bytes / selection.element_bytes;
  const ShiftedBits shifted(selection, phase);
  const std::uint64_t words = words_of(phase + selection.elements);
  if (group > 64) return count_large_groups(shifted, words, group);
  return count_small_groups(shifted, selection, words, group);
}

std::uint64_t line_mask_of_page(const SelectedElements& selection, std::uintptr_t page) {
  const auto begin = reinterpret_cast<std::uintptr_t>(selection.address);
  const std::uintptr_t end = begin + selection.elements * selection.element_bytes;
  const std::uintptr_t from = std::max(begin, page);
  const std::uintptr_t to = std::min(end, page + kPageBytes);
  if (from >= to) return 0;
  if (selection.bits == nullptr) {
    const std::uint64_t first = (from - page) / kLineBytes;
    const std::uint64_t last = (to - 1 - page) / kLineBytes;
    return (~std::uint64_t{0} >> (63 - last)) & (~std::uint64_t{0} << first);
  }
  // Shifted bits begin at the page that holds the first element.
  const std::uintptr_t first_page = begin / kPageBytes * kPageBytes;
  const ShiftedBits shifted(selection, (begin - first_page) / selection.element_bytes);
  const std::uint64_t page_words = kPageBytes / 64 / selection.element_bytes;
  const std::uint64_t first = (page - first_page) / kPageBytes * page_words;
  switch (kLineBytes / selection.element_bytes) {
    case 4: return page_mask<4>(shifted, first);
    case 8: return page_mask<8>(shifted, first);
    case 16: return page_mask<16>(shifted, first);
    case 32: return page_mask<32>(shifted, first);
    default: return page_mask<64>(shifted, first);
  }
}

bool is_accessed(const SelectedElements& selection, std::uintptr_t address, std::uint64_t bytes) {
  const auto first_byte = reinterpret_cast<std::uintptr_t>(selection.address);
  const std::uint64_t width = selection.element_bytes;
  const auto element_at = [&](std::uintptr_t at) {
    return at <= first_byte ? 0
                            : std::min((at - first_byte + width - 1) / width, selection.elements);
  };
  std::uint64_t first = element_at(address);
  const std::uint64_t end = element_at(address + bytes);
  if (selection.bits == nullptr) return first < end;
  constexpr std::uint64_t kWordBits = 64;
  // Whole words at a time; the mask leaves out the bits before the first and behind the last one.
  while (first < end) {
    const std::uint64_t left = std::min(end - first, kWordBits - first % kWordBits);
    const std::uint64_t mask =
        (left == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
    if (((selection.bits[first / kWordBits] >> first % kWordBits) & mask) != 0) return true;
    first += left;
  }
  return false;
}

}  // namespace hdbench::pmem
#endif  // HWY_ONCE
