// Finds the last row of every group of a morsel, for `select by`. Each piece of a morsel passes
// conditions (piece_rows.h), keys (piece_ids.h, known_keys.h) and groups.
//
// Requires keys that address a direct table (GroupIndex::direct()). Single-threaded; its buffers
// have a fixed size and are part of the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/exec/known_keys.h"
#include "engine/exec/morsel_keys.h"
#include "engine/exec/piece_ids.h"
#include "engine/exec/piece_rows.h"
#include "engine/exec/query_input.h"
#include "engine/kernel/last_rows.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/touch_log.h"

namespace hdbench {

// Receives the result of a scan: groups, and the RowId of the last row of each.
struct LastRows {
  GroupIndex& index;
  std::pmr::vector<std::uint64_t>& rows;

  // Returns whether the group is a new one.
  bool note(std::uint32_t slot, std::uint64_t row_id);
};

class LastRowScan {
 public:
  // Requires: index.direct(), and that it was made of these keys.
  LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys, const GroupIndex& index);
  LastRowScan(const LastRowScan&) = delete;
  LastRowScan& operator=(const LastRowScan&) = delete;

  // A morsel by its number; they may come in any order. Throws QueryStop.
  void take(std::size_t m, TouchLog& touched, LastRows last);

 private:
  // Returns whether one of the rows is selected. `after`: what is read first after them.
  bool take_rows(const Morsel& morsel, RowRange rows, const std::byte* after, TouchLog& touched,
                 LastRows last);
  // Finds and notes the last rows of a piece whose ids are made.
  void find_rows(const Morsel& morsel, RowRange rows, const std::byte* after, LastRows last);
  // The part of what is read after a piece that is prefetched while ids are scanned, because the
  // scans of the keys do not; null for nothing.
  const std::byte* fetched_between(const std::byte* after) const;
  // Processes every selected row of the first `words` words individually, for pieces with many
  // groups.
  void note_each_row(const Morsel& morsel, RowRange rows, std::size_t words, LastRows last);
  void note_found(const Morsel& morsel, RowRange rows, LastRows last);
  // Records a row of the morsel. Detects ids that represent no value.
  void note(const Morsel& morsel, std::uint32_t id, std::uint64_t row, LastRows last);

  const QueryInput& input_;
  std::span<const KeyColumn> keys_;
  const GroupIndex& index_;
  MorselKeys morsel_keys_;
  PieceRows piece_rows_;
  PieceIds piece_ids_;
  KnownKeys known_keys_;
  FoundGroups found_;
};

}  // namespace hdbench
