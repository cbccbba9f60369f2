#include "engine/exec/known_keys.h"

#include <iterator>

#include "engine/kernel/bits.h"
#include "engine/kernel/core_habit.h"
#include "engine/kernel/ids.h"

namespace hdbench {

bool KnownKeys::find(const Morsel& morsel, RowRange rows, std::span<const ReadKey> keys,
                     const std::byte* next, FoundGroups& found) {
  if (known_.count == 0 || keys.size() != known_keys_.size()) return false;
  // Whole words are read: what follows the rows in the last one, too.
  const std::uint64_t words = words_for(static_cast<std::size_t>(rows.rows()));
  if (rows.begin + words * kWordRows > input_.slices[morsel.slice].rows) return false;
  KeyWords source{keys.front().column->width, {}, selection_.bits(), words, next};
  for (std::size_t c = 0; c < keys.size(); ++c) {
    if (keys[c].key != known_keys_[c] || !lies_as_known(keys[c], source.width)) return false;
    source.columns[c] = keys[c].at(rows.begin);
  }
  if (!all_known(source, known_)) return false;
  std::uint32_t highest[kKnownMax];
  last_known_rows(source, known_, highest);
  found.count = 0;
  KnownGroups met;
  for (std::size_t k = 0; k < known_.count; ++k) {
    if (highest[k] == kNoRow) continue;
    std::uint32_t id = 0;
    for (std::size_t c = 0; c < keys.size(); ++c) {
      const std::uint32_t value = known_.values[c][k];
      met.values[c][met.count] = value;
      id |= value << keys[c].shift;
    }
    ++met.count;
    found.ids[found.count] = id;
    found.rows[found.count++] = highest[k];
  }
  // The next piece's are likely the same.
  known_ = met;
  return true;
}

void KnownKeys::learn(std::span<const ReadKey> keys, const FoundGroups& found) {
  known_.count = 0;
  known_keys_.clear();
  const bool are_few = found.count >= 1 && found.count <= kKnownMax;
  if (!are_few || keys.empty() || keys.size() > std::size(known_.values)) return;
  known_.count = found.count;
  for (std::size_t c = 0; c < keys.size(); ++c) {
    known_keys_.push_back(keys[c].key);
    for (std::size_t k = 0; k < found.count; ++k)
      known_.values[c][k] = keys[c].word_of(found.ids[k]);
  }
}

bool KnownKeys::lies_as_known(const ReadKey& read, std::uint32_t width) const {
  return selection_.most_words_selected() && read.lies_as_words(width) &&
         (core_habit().known_as_they_lie || id_width(read.key->cardinality) == width);
}

}  // namespace hdbench
