// The keys of a morsel for the last-row scan: which must be read, and what the constant ones add to
// every slot.
//
// The key of a partition, or of a p# index that narrowed the rows, is constant in the morsel and is
// not read. Requires keys that address a direct table (GroupIndex::direct()).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/exec/query_input.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"

namespace hdbench {

// A key that must be read: its ids lie in a slot from bit `shift` on.
struct ReadKey {
  const KeyColumn* key = nullptr;
  const Column* column = nullptr;
  std::uint32_t shift = 0;
  bool is_reported = false;  // of a piece: it is charged for its bytes

  // Its part of an id.
  std::uint32_t word_of(std::uint32_t id) const;
  // Whether the stored values, `width` bytes each, are the key's words.
  bool lies_as_words(std::uint32_t width) const {
    return column->width == width && key->base == column->base;
  }
  const std::byte* at(std::uint64_t row) const { return column->data + row * column->width; }
};

struct MorselKeys {
  std::vector<ReadKey> read;        // from the lowest bits of a slot on
  std::uint32_t constant_slot = 0;  // the other keys' part of a slot

  // Of the morsel whose keys are settled: none of them is read.
  bool has_one_group() const { return read.empty(); }

  // Sorts the keys into those to be read and those that are constant.
  void settle(const QueryInput& input, std::span<const KeyColumn> keys, const GroupIndex& index,
              const Morsel& morsel);
};

}  // namespace hdbench
