#include "engine/kernel/last_rows.h"

#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "engine/kernel/bits.h"
#include "engine/kernel/word_mask-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A group's id in every lane.
template <typename T>
HWY_INLINE auto repeated_id(const FoundGroups& found, std::size_t group) {
  return hn::Load(WordTag<T>(), reinterpret_cast<const T*>(found.repeated[group]));
}

// Bit i: ids[i] is one of the groups found from number `first` on.
template <typename T>
HWY_INLINE std::uint64_t known_word(const T* HWY_RESTRICT ids, const FoundGroups& found,
                                    std::size_t first) {
  return mask_word(ids, [&](auto d, auto v) HWY_ATTR {
    auto known = hn::MaskFromVec(hn::Zero(d));
    for (std::size_t k = first; k < found.count; ++k)
      known = hn::Or(known, hn::Eq(v, repeated_id<T>(found, k)));
    return known;
  });
}

// Words that are skipped at a time.
constexpr std::size_t kSkippedWords = 8;
// Groups whose ids are held in registers meanwhile.
constexpr std::size_t kHeldGroups = 4;

// Skips blocks of words before `w` whose selected rows are all of known groups. Returns the number
// of words left: the last block's have another group, or no block is left. Requires: 1 to
// kHeldGroups groups.
template <typename T>
std::size_t skip_known(const IdWords& source, std::size_t w, const FoundGroups& found) {
  hn::Vec<WordTag<T>> held[kHeldGroups];
  for (std::size_t k = 0; k < kHeldGroups; ++k)
    held[k] = repeated_id<T>(found, k < found.count ? k : 0);
  const auto is_held = [&](auto d, auto v) HWY_ATTR { return equals_any(d, v, held); };
  const auto* ids = reinterpret_cast<const T*>(source.ids);
  for (; w >= kSkippedWords; w -= kSkippedWords) {
    std::uint64_t unknown = 0;
#pragma GCC unroll 8
    for (std::size_t k = w - kSkippedWords; k < w; ++k)
      unknown |= source.bits[k] & ~mask_word(ids + k * kWordRows, is_held);
    if (unknown != 0) break;
  }
  return w;
}

// Adds a group with its last row, and its id over a whole vector for later compares. Requires:
// fewer than kMax groups.
template <typename T>
void add_group(T id, std::uint32_t row, FoundGroups& found) {
  const std::size_t added = found.count++;
  found.ids[added] = id;
  found.rows[added] = row;
  T repeated[64 / sizeof(T)];
  for (T& lane : repeated) lane = id;
  std::memcpy(found.repeated[added], repeated, sizeof(repeated));
}

// From the last word to the first. Invariant: of the rows behind the current word, every group that
// was met is in `found` with its highest row, so a row of a known group is never wanted again.
template <typename T>
std::size_t find_in(const IdWords& source, FoundGroups& found) {
  const auto* ids = reinterpret_cast<const T*>(source.ids);
  found.count = 0;
  for (std::size_t w = source.words; w > 0; --w) {
    if (found.count >= 1 && found.count <= kHeldGroups && w % kSkippedWords == 0)
      w = skip_known<T>(source, w, found);
    if (w == 0) break;
    const std::size_t word_row = (w - 1) * kWordRows;
    std::uint64_t left = source.bits[w - 1];
    // What is left: selected rows of groups that were not met yet.
    if (left != 0) left &= ~known_word(ids + word_row, found, 0);
    while (left != 0) {
      if (found.count == FoundGroups::kMax) return w;
      const std::size_t row = word_row + 63 - static_cast<std::size_t>(std::countl_zero(left));
      add_group(ids[row], static_cast<std::uint32_t>(row), found);
      // Only the group just added can have more rows in this word.
      left &= ~known_word(ids + word_row, found, found.count - 1);
    }
  }
  return 0;
}

}  // namespace

std::size_t FindLastRows(const IdWords& source, FoundGroups& found) {
  switch (source.width) {
    case 1: return find_in<std::uint8_t>(source, found);
    case 2: return find_in<std::uint16_t>(source, found);
    default: return find_in<std::uint32_t>(source, found);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(FindLastRows);

std::size_t find_last_rows(const IdWords& source, FoundGroups& found) {
  return HWY_DYNAMIC_DISPATCH(FindLastRows)(source, found);
}

}  // namespace hdbench
#endif  // HWY_ONCE
