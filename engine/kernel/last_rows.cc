#include "engine/kernel/last_rows.h"

#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/fetch_ahead.h"
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

// Words that are passed over at a time.
constexpr std::size_t kBlockWords = 8;

// Of a vector of ids, which are one of the first kGroups that `found` has, held in registers over
// many words. Requires: found has 1 to kGroups.
template <typename T, std::size_t kGroups>
class KnownTest {
 public:
  explicit KnownTest(const FoundGroups& found)
      : a_(held(found, 0)), b_(held(found, 1)), c_(held(found, 2)), e_(held(found, 3)) {}

  template <typename D, typename V>
  HWY_INLINE auto operator()(D d, V v) const {
    if constexpr (kGroups == 2) return hn::Or(hn::Eq(v, a_), hn::Eq(v, b_));
    return equals_any(d, v, a_, b_, c_, e_);
  }

 private:
  using Vec = hn::Vec<WordTag<T>>;
  static Vec held(const FoundGroups& found, std::size_t k) {
    const std::size_t known = k < found.count ? k : 0;
    return hn::Load(WordTag<T>(), reinterpret_cast<const T*>(found.repeated[known]));
  }
  Vec a_, b_, c_, e_;
};

// Bits of selected rows of a block's words, from `first` on, that are of other groups.
template <typename T, typename Test>
HWY_INLINE std::uint64_t unknown_in_block(const IdWords& source, std::size_t first,
                                          const Test& is_known) {
  const auto* ids = reinterpret_cast<const T*>(source.ids);
  std::uint64_t unknown = 0;
#pragma GCC unroll 8
  for (std::size_t w = first; w < first + kBlockWords; ++w)
    unknown |= source.bits[w] & ~mask_word(ids + w * kWordRows, is_known);
  return unknown;
}

// Passes over the words before `w` whose selected rows are all of known groups, in blocks; returns
// the number of words left: the last block's have another group, or no block is left.
template <typename T, std::size_t kGroups>
std::size_t skip_blocks(const IdWords& source, std::size_t w, const FoundGroups& found) {
  const KnownTest<T, kGroups> is_known(found);
  for (; w >= kBlockWords; w -= kBlockWords) {
    if (unknown_in_block<T>(source, w - kBlockWords, is_known) != 0) break;
    if (source.next == nullptr) continue;
    const std::byte* line = source.next + (source.words - w) * kLineBytes;
    for (std::size_t k = 0; k < kBlockWords; ++k) {
      constexpr int kSecondLevel = 2;
      __builtin_prefetch(line + k * kLineBytes, /*rw=*/0, kSecondLevel);
    }
  }
  return w;
}

template <typename T>
std::size_t skip_known(const IdWords& source, std::size_t w, const FoundGroups& found) {
  return found.count <= 2 ? skip_blocks<T, 2>(source, w, found)
                          : skip_blocks<T, kKnownMax>(source, w, found);
}

// Of vectors of one or two columns' values, which lanes are of the first kGroups known groups, held
// in registers over many words. Requires: 1 to kGroups of them.
template <typename T, std::size_t kColumns, std::size_t kGroups>
class KnownKeyTest {
 public:
  using D = WordTag<T>;
  using Vec = hn::Vec<D>;

  explicit KnownKeyTest(const KnownGroups& known)
      : a_(held(known, 0, 0)),
        b_(held(known, 0, 1)),
        c_(held(known, 0, 2)),
        e_(held(known, 0, 3)),
        a2_(held(known, kColumns - 1, 0)),
        b2_(held(known, kColumns - 1, 1)),
        c2_(held(known, kColumns - 1, 2)),
        e2_(held(known, kColumns - 1, 3)) {}

  HWY_INLINE auto operator()(Vec v, [[maybe_unused]] Vec v2) const {
    const D d;
    if constexpr (kColumns == 1 && kGroups == 2) {
      return hn::Or(hn::Eq(v, a_), hn::Eq(v, b_));
    } else if constexpr (kColumns == 1) {
      return equals_any(d, v, a_, b_, c_, e_);
    } else {
      // Zero where both are equal; the least of all: one compare a vector.
      auto least = hn::Min(apart(v, v2, a_, a2_), apart(v, v2, b_, b2_));
      if constexpr (kGroups > 2)
        least = hn::Min(least, hn::Min(apart(v, v2, c_, c2_), apart(v, v2, e_, e2_)));
      return hn::Eq(least, hn::Zero(d));
    }
  }

 private:
  static Vec held(const KnownGroups& known, std::size_t column, std::size_t k) {
    return hn::Set(D(), static_cast<T>(known.values[column][k < known.count ? k : 0]));
  }
  static HWY_INLINE Vec apart(Vec v, Vec v2, Vec a, Vec a2) {
    return hn::Or(hn::Xor(v, a), hn::Xor(v2, a2));
  }
  Vec a_, b_, c_, e_;
  Vec a2_, b2_, c2_, e2_;
};

// Bit i of the result: row i of the word passes.
template <typename T, std::size_t kColumns, typename Test>
HWY_INLINE std::uint64_t key_word(const KeyWords& source, std::size_t w, const Test& test) {
  const auto* first = reinterpret_cast<const T*>(source.columns[0]) + w * kWordRows;
  if constexpr (kColumns == 1) {
    return mask_word(first, [&](auto, auto v) HWY_ATTR { return test(v, v); });
  } else {
    const auto* second = reinterpret_cast<const T*>(source.columns[1]) + w * kWordRows;
    return mask_word(first, second, [&](auto, auto v, auto v2) HWY_ATTR { return test(v, v2); });
  }
}

template <typename T, std::size_t kColumns, std::size_t kGroups>
bool all_known_of(const KeyWords& source, const KnownGroups& known) {
  const KnownKeyTest<T, kColumns, kGroups> is_known(known);
  constexpr std::size_t kWordBytes = kWordRows * sizeof(T);
  // Fetched at a time: a block's words, but no more lines than a core can have asked for.
  constexpr std::size_t kFetchWords = kBlockWords / sizeof(T);
  const std::size_t bytes = source.words * kWordBytes;
  const FetchAhead ahead{source.columns[0], bytes, sizeof(T)};
  const FetchAhead ahead2{source.columns[kColumns - 1], bytes, sizeof(T)};
  std::size_t w = 0;
  for (; w + kBlockWords <= source.words; w += kBlockWords) {
    std::uint64_t unknown = 0;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kBlockWords; ++k) {
      const std::size_t at = w + k;
      if (k % kFetchWords == 0) {
        constexpr std::size_t kFetchBytes = kFetchWords * kWordBytes;
        ahead.fetch(at * kWordBytes, kFetchBytes, source.next);
        if constexpr (kColumns == 2) ahead2.fetch(at * kWordBytes, kFetchBytes, nullptr);
      }
      unknown |= source.bits[at] & ~key_word<T, kColumns>(source, at, is_known);
    }
    if (unknown != 0) return false;
  }
  for (; w < source.words; ++w) {
    if ((source.bits[w] & ~key_word<T, kColumns>(source, w, is_known)) != 0) return false;
  }
  return true;
}

template <typename T>
bool all_known_in(const KeyWords& source, const KnownGroups& known) {
  HDB_DCHECK(known.count >= 1 && known.count <= kKnownMax, "groups to compare with");
  if (source.columns[1] == nullptr) {
    return known.count <= 2 ? all_known_of<T, 1, 2>(source, known)
                            : all_known_of<T, 1, kKnownMax>(source, known);
  }
  return known.count <= 2 ? all_known_of<T, 2, 2>(source, known)
                          : all_known_of<T, 2, kKnownMax>(source, known);
}

template <typename T, std::size_t kColumns>
std::uint32_t last_row_of(const KeyWords& source, const KnownGroups& group) {
  const KnownKeyTest<T, kColumns, 2> is_group(group);
  for (std::size_t w = source.words; w > 0; --w) {
    if (source.bits[w - 1] == 0) continue;
    const std::uint64_t rows = source.bits[w - 1] & key_word<T, kColumns>(source, w - 1, is_group);
    if (rows == 0) continue;
    return static_cast<std::uint32_t>((w - 1) * kWordRows + 63) -
           static_cast<std::uint32_t>(std::countl_zero(rows));
  }
  return kNoRow;
}

template <typename T>
void last_rows_in(const KeyWords& source, const KnownGroups& known, std::uint32_t* rows) {
  for (std::size_t k = 0; k < known.count; ++k) {
    const KnownGroups group{1, {{known.values[0][k]}, {known.values[1][k]}}};
    rows[k] = source.columns[1] == nullptr ? last_row_of<T, 1>(source, group)
                                           : last_row_of<T, 2>(source, group);
  }
}

template <typename T>
void add_group(const T* word_ids, std::uint32_t row, std::uint32_t first_row, FoundGroups& found) {
  const std::size_t added = found.count++;
  T group;  // a column's bytes may lie anywhere
  std::memcpy(&group, reinterpret_cast<const std::byte*>(word_ids) + row * sizeof(T), sizeof(T));
  found.ids[added] = group;
  found.rows[added] = first_row + row;
  T repeated[64 / sizeof(T)];
  for (T& id : repeated) id = group;
  std::memcpy(found.repeated[added], repeated, sizeof(repeated));
}

template <typename T>
std::size_t find_in(const IdWords& source, std::uint32_t first_row, FoundGroups& found) {
  const auto* ids = reinterpret_cast<const T*>(source.ids);
  for (std::size_t w = source.words; w > 0; --w) {
    if (found.count >= 1 && found.count <= kKnownMax && w % kBlockWords == 0)
      w = skip_known<T>(source, w, found);
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

void LastKnownRows(const KeyWords& source, const KnownGroups& known, std::uint32_t* rows) {
  switch (source.width) {
    case 1: return last_rows_in<std::uint8_t>(source, known, rows);
    case 2: return last_rows_in<std::uint16_t>(source, known, rows);
    case 4: return last_rows_in<std::uint32_t>(source, known, rows);
    default: return last_rows_in<std::uint64_t>(source, known, rows);
  }
}

bool AllKnown(const KeyWords& source, const KnownGroups& known) {
  switch (source.width) {
    case 1: return all_known_in<std::uint8_t>(source, known);
    case 2: return all_known_in<std::uint16_t>(source, known);
    case 4: return all_known_in<std::uint32_t>(source, known);
    default: return all_known_in<std::uint64_t>(source, known);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(FindLastRows);
HWY_EXPORT(AllKnown);
HWY_EXPORT(LastKnownRows);

std::size_t find_last_rows(const IdWords& source, std::uint32_t first_row, FoundGroups& found) {
  return HWY_DYNAMIC_DISPATCH(FindLastRows)(source, first_row, found);
}

bool all_known(const KeyWords& source, const KnownGroups& known) {
  return HWY_DYNAMIC_DISPATCH(AllKnown)(source, known);
}

void last_known_rows(const KeyWords& source, const KnownGroups& known,
                     std::uint32_t (&rows)[kKnownMax]) {
  HWY_DYNAMIC_DISPATCH(LastKnownRows)(source, known, rows);
}

}  // namespace hdbench
#endif  // HWY_ONCE
