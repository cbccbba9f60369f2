#include "engine/exec/morsel_keys.h"

#include <bit>
#include <ranges>

#include "engine/column/column_error.h"

namespace hdbench {

std::uint32_t ReadKey::word_of(std::uint32_t id) const {
  return id >> shift & static_cast<std::uint32_t>((std::uint64_t{1} << slot_bits(*key)) - 1);
}

void MorselKeys::settle(const QueryInput& input, std::span<const KeyColumn> keys,
                        const GroupIndex& index, const Morsel& morsel) {
  const Slice& slice = input.slices[morsel.slice];
  read.clear();
  constant_slot = 0;
  // The last key lies in a slot's lowest bits: its ids need no shift, and are made first.
  for (const KeyColumn& key : std::views::reverse(keys)) {
    const std::uint32_t shift = index.shift(key.first_word);
    const Column* column = slice.columns[key.field];
    const KeyBounds bounds{key.base, key.cardinality};
    const bool by_index =
        morsel.index_key && key.field == input.index_field && bounds.holds(*morsel.index_key);
    if (by_index || column == nullptr) {
      const std::int64_t value = by_index ? *morsel.index_key : slice.partition_value;
      constant_slot |= static_cast<std::uint32_t>(value - key.base) << shift;
      continue;
    }
    read.push_back({&key, column, shift});
  }
}

}  // namespace hdbench
