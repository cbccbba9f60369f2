#include "engine/operator/group_index.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"

namespace hdbench {
namespace {

// A direct table of up to 4 MiB: it stays near a core's second-level cache.
constexpr std::uint32_t kDirectBitsMax = 20;
constexpr std::size_t kFirstSlots = 1024;

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 32);
}

}  // namespace

GroupIndex::GroupIndex(std::span<const std::uint64_t> cardinalities,
                       std::pmr::memory_resource& resource)
    : cardinalities_(cardinalities.begin(), cardinalities.end()),
      slots_(&resource),
      keys_(&resource) {
  shifts_.assign(cardinalities_.size(), 0);
  std::uint32_t bits = 0;
  direct_ = true;
  for (std::size_t w = cardinalities_.size(); w-- > 0;) {
    shifts_[w] = bits;
    direct_ &= cardinalities_[w] != 0;
    if (direct_) bits += static_cast<std::uint32_t>(std::bit_width(cardinalities_[w] - 1));
    direct_ &= bits <= kDirectBitsMax;
  }
  slots_.assign(direct_ ? std::size_t{1} << bits : kFirstSlots, 0);
}

std::uint32_t GroupIndex::group_of_slot(std::uint32_t slot) {
  HDB_DCHECK(direct_ && slot < slots_.size(), "a slot of the direct table");
  if (slots_[slot] != 0) return slots_[slot] - 1;
  HDB_CHECK(size_ != UINT32_MAX, "at most 2^32 - 1 groups");
  for (std::size_t w = 0; w < word_count(); ++w) {
    const auto mask = (std::uint32_t{1} << std::bit_width(cardinalities_[w] - 1)) - 1;
    keys_.push_back(slot >> shifts_[w] & mask);
  }
  slots_[slot] = ++size_;
  return size_ - 1;
}

std::uint32_t GroupIndex::add(std::span<const std::uint64_t* const> words, std::size_t row) {
  HDB_CHECK(size_ != UINT32_MAX, "at most 2^32 - 1 groups");
  for (const std::uint64_t* word : words) keys_.push_back(word[row]);
  return size_++;
}

void GroupIndex::assign(std::span<const std::uint64_t* const> words, std::size_t count,
                        std::uint32_t* groups) {
  HDB_DCHECK(words.size() == word_count(), "a key has as many words as the index");
  if (direct_) {
    assign_direct(words, count, groups);
  } else {
    assign_hashed(words, count, groups);
  }
}

void GroupIndex::assign_direct(std::span<const std::uint64_t* const> words, std::size_t count,
                               std::uint32_t* groups) {
  std::fill_n(groups, count, 0u);
  for (std::size_t w = 0; w < words.size(); ++w) {
    const std::uint64_t* word = words[w];
    for (std::size_t row = 0; row < count; ++row) {
      groups[row] |= static_cast<std::uint32_t>(word[row]) << shifts_[w];
    }
  }
  for (std::size_t row = 0; row < count; ++row) groups[row] = group_of_slot(groups[row]);
}

template <std::size_t kWords>
std::uint32_t GroupIndex::find_or_add(std::span<const std::uint64_t* const> words, std::size_t row,
                                      std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  const std::size_t word_count = kWords == 0 ? words.size() : kWords;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) {
      const std::uint32_t group = add(words, row);
      slots_[at] = group + 1;
      return group;
    }
    const std::uint64_t* known = keys_.data() + (slots_[at] - 1) * word_count;
    bool equal = true;
    for (std::size_t w = 0; w < word_count; ++w) equal &= known[w] == words[w][row];
    if (equal) return slots_[at] - 1;
  }
}

namespace {

bool have_one_key(std::span<const std::uint64_t* const> words, std::size_t start,
                  std::size_t rows) {
  return std::all_of(words.begin(), words.end(), [&](const std::uint64_t* word) {
    const std::uint64_t first = word[start];
    if (word[start + rows - 1] != first) return false;
    std::uint64_t others = 0;
    for (std::size_t i = 0; i < rows; ++i) others |= word[start + i] ^ first;
    return others == 0;
  });
}

}  // namespace

template <std::size_t kWords>
void GroupIndex::assign_words(std::span<const std::uint64_t* const> words, std::size_t count,
                              std::uint32_t* groups) {
  // Hashes first, so that slots far ahead can be requested.
  constexpr std::size_t kHashedAtOnce = 256;
  constexpr std::size_t kAhead = 16;
  std::uint64_t hashes[kHashedAtOnce];
  for (std::size_t start = 0; start < count; start += kHashedAtOnce) {
    const std::size_t rows = std::min(kHashedAtOnce, count - start);
    while ((std::size_t{size_} + rows) * 2 > slots_.size()) grow();
    if (have_one_key(words, start, rows)) {
      std::uint64_t hash = 0;
      for (const std::uint64_t* const word : words) hash = mix(hash, word[start]);
      std::fill_n(groups + start, rows, find_or_add<kWords>(words, start, hash));
      continue;
    }
    std::fill_n(hashes, rows, std::uint64_t{0});
    for (const std::uint64_t* const word : words) {
      for (std::size_t i = 0; i < rows; ++i) hashes[i] = mix(hashes[i], word[start + i]);
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < rows; ++i) {
      if (i + kAhead < rows) __builtin_prefetch(slots_.data() + (hashes[i + kAhead] & mask));
      groups[start + i] = find_or_add<kWords>(words, start + i, hashes[i]);
    }
  }
}

void GroupIndex::assign_hashed(std::span<const std::uint64_t* const> words, std::size_t count,
                               std::uint32_t* groups) {
  switch (words.size()) {
    case 1: return assign_words<1>(words, count, groups);
    case 2: return assign_words<2>(words, count, groups);
    case 3: return assign_words<3>(words, count, groups);
    default: return assign_words<0>(words, count, groups);
  }
}

void GroupIndex::assign_neighbours(std::span<const std::uint64_t* const> words, std::size_t count,
                                   std::uint32_t* groups) {
  for (std::size_t row = 0; row < count; ++row) {
    bool is_same = size_ != 0;
    for (std::size_t w = 0; w < words.size(); ++w)
      is_same = is_same && words[w][row] == keys_[keys_.size() - words.size() + w];
    groups[row] = is_same ? size_ - 1 : add(words, row);
  }
}

void GroupIndex::reserve(std::size_t keys) {
  HDB_DCHECK(!direct_ && size_ == 0, "slots are not found again");
  slots_.assign(std::max(std::bit_ceil(2 * keys), kFirstSlots), 0);
  keys_.reserve(keys * word_count());
}

void GroupIndex::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::uint32_t group = 0; group < size_; ++group) {
    std::uint64_t hash = 0;
    for (std::size_t w = 0; w < word_count(); ++w) hash = mix(hash, key(group)[w]);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = group + 1;
  }
}

}  // namespace hdbench
