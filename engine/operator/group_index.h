// Group index: the distinct keys seen so far, numbered in order of first appearance.
//
// A key is a fixed number of 64-bit words. If every word is known to be small, their bits side by
// side (the key's *slot*) address a table directly; otherwise a hash table with linear probing is
// used. Single-threaded; memory comes from the query's workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace hdbench {

class GroupIndex {
 public:
  // cardinalities[i]: word i is below this; 0 when nothing is known. No words: everything is one
  // group.
  GroupIndex(std::span<const std::uint64_t> cardinalities, std::pmr::memory_resource& resource);

  // Numbers `count` keys: words[i][row] is word i of a row's key; groups[row] is its number.
  // Requires: words below their cardinalities.
  void assign(std::span<const std::uint64_t* const> words, std::size_t count,
              std::uint32_t* groups);

  // The same of keys whose equals are all neighbours, also of those of the calls before: nothing is
  // looked up, and nothing can be afterwards. Requires: !direct().
  void assign_neighbours(std::span<const std::uint64_t* const> words, std::size_t count,
                         std::uint32_t* groups);

  // The number of the key with this slot. Requires: direct(); the slot's words are below their
  // cardinalities.
  std::uint32_t group_of_slot(std::uint32_t slot);

  // Room for so many keys. Requires: !direct(), no keys yet.
  void reserve(std::size_t keys);

  std::uint32_t size() const { return size_; }
  std::size_t word_count() const { return cardinalities_.size(); }
  // The words of a group's key. Requires: group < size().
  const std::uint64_t* key(std::uint32_t group) const {
    return keys_.data() + std::size_t{group} * word_count();
  }
  bool direct() const { return direct_; }
  // Of the table that slots address. Requires: direct().
  std::size_t slot_count() const { return slots_.size(); }
  // Word w of a key lies in its slot from bit shift(w) on. Requires: direct().
  std::uint32_t shift(std::size_t word) const { return shifts_[word]; }

 private:
  void assign_direct(std::span<const std::uint64_t* const> words, std::size_t count,
                     std::uint32_t* groups);
  void assign_hashed(std::span<const std::uint64_t* const> words, std::size_t count,
                     std::uint32_t* groups);
  // As assign(), for keys of kWords words; 0: any number.
  template <std::size_t kWords>
  void assign_words(std::span<const std::uint64_t* const> words, std::size_t count,
                    std::uint32_t* groups);
  // Requires: space in slots_.
  template <std::size_t kWords>
  std::uint32_t find_or_add(std::span<const std::uint64_t* const> words, std::size_t row,
                            std::uint64_t hash);
  std::uint32_t add(std::span<const std::uint64_t* const> words, std::size_t row);
  void grow();

  std::vector<std::uint64_t> cardinalities_;
  std::vector<std::uint32_t> shifts_;  // direct: one a word, the first word highest
  bool direct_ = false;
  std::uint32_t size_ = 0;
  // Group number + 1, 0 for none: at the key's slot, or by hash (a power of two of slots).
  std::pmr::vector<std::uint32_t> slots_;
  std::pmr::vector<std::uint64_t> keys_;
};

}  // namespace hdbench
