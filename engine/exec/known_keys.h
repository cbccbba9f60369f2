// The groups of the previous piece. If a piece has no other groups, its last rows are found by
// comparing the stored keys directly, without making ids.
//
// Used for pieces with one or two keys and few groups, whose columns may be read completely.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/exec/morsel_keys.h"
#include "engine/exec/piece_rows.h"
#include "engine/kernel/last_rows.h"

namespace hdbench {

class KnownKeys {
 public:
  KnownKeys(const QueryInput& input, const PieceRows& selection)
      : input_(input), selection_(selection) {}

  // Returns whether all selected rows belong to known groups, which it determines while reading the
  // keys; `next` is read after them. If so, `found` receives what find_last_rows() would find.
  bool find(const Morsel& morsel, RowRange rows, std::span<const ReadKey> keys,
            const std::byte* next, FoundGroups& found);
  // From a piece whose groups were found by their ids.
  void learn(std::span<const ReadKey> keys, const FoundGroups& found);

 private:
  // Whether the stored column may be compared directly at that width: it is read completely,
  // including up to an eighth of the words of 64 rows that have no selected row; those are not
  // reported.
  bool lies_as_known(const ReadKey& read, std::uint32_t width) const;

  const QueryInput& input_;
  const PieceRows& selection_;
  KnownGroups known_;
  std::vector<const KeyColumn*> known_keys_;
};

}  // namespace hdbench
