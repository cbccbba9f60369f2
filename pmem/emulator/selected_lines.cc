#include "pmem/emulator/selected_lines.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"

namespace hdbench::pmem {
namespace {

constexpr std::uint64_t kMaskedPageBytes = 4096;
constexpr std::uint64_t kMaskedLineBytes = 64;

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
  // For how many words from w on reaches() holds.
  std::uint64_t whole_words_from(std::uint64_t w) const {
    return w > words_before_ && w - words_before_ < words_in_ ? words_in_ - (w - words_before_) - 1
                                                              : 0;
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

// A bit for each group of a word that has any bit set, each at its group's end.
struct GroupTops {
  explicit GroupTops(std::uint32_t group)
      : shift(static_cast<int>(group) - 1),
        tops((group >= 64 ? 1 : ~std::uint64_t{0} / ((std::uint64_t{1} << group) - 1)) << shift) {}
  // A group's top bit is set by the carry of its other bits, or is set itself.
  std::uint64_t of(std::uint64_t word) const { return (((word & ~tops) + ~tops) | word) & tops; }

  int shift;
  std::uint64_t tops;
};

// Groups of a word or less: 4 to 64 bits, a power of two.
std::uint64_t count_small_groups(const ShiftedBits& shifted, std::uint64_t words,
                                 std::uint32_t group) {
  constexpr std::uint64_t kSumsMax = 255;  // what a group of 8 bits counts to
  const GroupTops tops(group);
  std::uint64_t count = 0;
  for (std::uint64_t w = 0; w < words;) {
    const std::uint64_t whole = group >= 8 ? std::min(kSumsMax, shifted.whole_words_from(w)) : 0;
    if (whole == 0) {
      count += static_cast<std::uint64_t>(std::popcount(tops.of(shifted.word(w))));
      ++w;
      continue;
    }
    // Each group of `sums` counts its place in the words: a plain loop, of which the compiler makes
    // vectors.
    std::uint64_t sums = 0;
    for (std::uint64_t i = 0; i < whole; ++i)
      sums += tops.of(shifted.whole_word(w + i)) >> tops.shift;
    for (std::uint32_t bit = 0; bit < 64; bit += group)
      count += group >= 64 ? sums : sums >> bit & ((std::uint64_t{1} << group) - 1);
    w += whole;
  }
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
  return count_small_groups(shifted, words, group);
}

std::uint64_t line_mask_of_page(const SelectedElements& selection, std::uintptr_t page) {
  const auto begin = reinterpret_cast<std::uintptr_t>(selection.address);
  const std::uintptr_t end = begin + selection.elements * selection.element_bytes;
  const std::uintptr_t from = std::max(begin, page);
  const std::uintptr_t to = std::min(end, page + kMaskedPageBytes);
  if (from >= to) return 0;
  if (selection.bits == nullptr) {
    const std::uint64_t first = (from - page) / kMaskedLineBytes;
    const std::uint64_t last = (to - 1 - page) / kMaskedLineBytes;
    return (~std::uint64_t{0} >> (63 - last)) & (~std::uint64_t{0} << first);
  }
  // Shifted bits begin at the page that holds the first element.
  const std::uintptr_t first_page = begin / kMaskedPageBytes * kMaskedPageBytes;
  const ShiftedBits shifted(selection, (begin - first_page) / selection.element_bytes);
  const std::uint64_t page_words = kMaskedPageBytes / 64 / selection.element_bytes;
  const std::uint64_t first = (page - first_page) / kMaskedPageBytes * page_words;
  switch (kMaskedLineBytes / selection.element_bytes) {
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
