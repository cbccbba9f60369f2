#include "engine/kernel/last_rows.h"

#include <bit>
#include <cstring>

#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/last_rows.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

#include "engine/kernel/mask_word-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Bit i: ids[i] is one of the groups found from number `first` on.
template <typename T>
HWY_INLINE std::uint64_t known_word(const T* HWY_RESTRICT ids, const FoundGroups& found,
                                    std::size_t first) {
  return mask_word(ids, [&](auto d, auto v) HWY_ATTR {
    auto known = hn::MaskFromVec(hn::Zero(d));
    for (std::size_t k = first; k < found.count; ++k) {
      known = hn::Or(known, hn::Eq(v, hn::Load(d, reinterpret_cast<const T*>(found.repeated[k]))));
    }
    return known;
  });
}

// Groups that the usual case compares with: held in registers over many words.
constexpr std::size_t kHeld = 4;

// Passes over the words before `w` whose selected rows are all of known groups; returns the number
// of words left, the last of which has another group (or 0). Requires: 1 to kHeld groups.
template <typename T>
std::size_t skip_known(const IdWords& source, std::size_t w, const FoundGroups& found) {
  const auto* ids = reinterpret_cast<const T*>(source.ids);
  const WordTag<T> d;
  const auto held = [&](std::size_t k) HWY_ATTR {
    const std::size_t known = k < found.count ? k : 0;
    return hn::Load(d, reinterpret_cast<const T*>(found.repeated[known]));
  };
  const auto a = held(0);
  const auto b = held(1);
  const auto c = held(2);
  const auto e = held(3);
  for (; w > 0; --w) {
    if (source.next != nullptr) {
      constexpr int kSecondLevel = 2;
      __builtin_prefetch(source.next + (source.words - w) * kLineBytes, /*rw=*/0, kSecondLevel);
    }
    const std::uint64_t known = mask_word(ids + (w - 1) * kWordRows, [=](auto, auto v) HWY_ATTR {
      return hn::Or(hn::Or(hn::Eq(v, a), hn::Eq(v, b)), hn::Or(hn::Eq(v, c), hn::Eq(v, e)));
    });
    if ((source.bits[w - 1] & ~known) != 0) break;
  }
  return w;
}

template <typename T>
void add_group(const T* word_ids, std::uint32_t row, std::uint32_t first_row, FoundGroups& found) {
  const std::size_t added = found.count++;
  found.ids[added] = word_ids[row];
  found.rows[added] = first_row + row;
  T repeated[64 / sizeof(T)];
  for (T& id : repeated) id = word_ids[row];
  std::memcpy(found.repeated[added], repeated, sizeof(repeated));
}

template <typename T>
std::size_t find_in(const IdWords& source, std::uint32_t first_row, FoundGroups& found) {
  const auto* ids = reinterpret_cast<const T*>(source.ids);
  for (std::size_t w = source.words; w > 0; --w) {
    if (found.count >= 1 && found.count <= kHeld) w = skip_known<T>(source, w, found);
    if (w == 0) break;
    const T* word_ids = ids + (w - 1) * kWordRows;
    std::uint64_t left = source.bits[w - 1];
    if (left != 0) left &= ~known_word(word_ids, found, 0);
    while (left != 0) {
      if (found.count == FoundGroups::kMax) return w;
      const auto row = static_cast<std::uint32_t>(63 - std::countl_zero(left));
      const std::size_t added = found.count;
      add_group(word_ids, row, first_row + static_cast<std::uint32_t>((w - 1) * kWordRows), found);
      left &= ~known_word(word_ids, found, added);
    }
  }
  return 0;
}

}  // namespace

std::size_t FindLastRows(const IdWords& source, std::uint32_t first_row, FoundGroups& found) {
  switch (source.width) {
    case 1: return find_in<std::uint8_t>(source, first_row, found);
    case 2: return find_in<std::uint16_t>(source, first_row, found);
    default: return find_in<std::uint32_t>(source, first_row, found);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(FindLastRows);

std::size_t find_last_rows(const IdWords& source, std::uint32_t first_row, FoundGroups& found) {
  return HWY_DYNAMIC_DISPATCH(FindLastRows)(source, first_row, found);
}

}  // namespace hdbench
#endif  // HWY_ONCE
