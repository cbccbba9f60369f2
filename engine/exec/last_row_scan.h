// Finds the last row of every group of a morsel, for `select by`: conditions select rows
// (filter.h), the keys of those become ids (slot_reader.h), and the ids are scanned from the last
// row to the first (last_rows.h).
//
// Requires keys that address a direct table (GroupIndex::direct()). Single-threaded; its buffers
// have a fixed size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/exec/computed_columns.h"
#include "engine/exec/query_input.h"
#include "engine/kernel/last_rows.h"
#include "engine/operator/access_log.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/slot_reader.h"

namespace hdbench {

// Receives the result of a scan: groups, and the RowId of the last row of each.
struct LastRows {
  GroupIndex& index;
  std::pmr::vector<std::uint64_t>& rows;

  void note(std::uint32_t slot, std::uint64_t row_id);
};

class LastRowScan {
 public:
  // Requires: index.direct(), and that it was made of these keys.
  LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys, const GroupIndex& index,
              ComputedColumns& computed);

  // A morsel by its number; they may come in any order. Throws QueryStop.
  void take(std::size_t m, AccessLog& accesses, LastRows last);

 private:
  // Of a morsel whose rows have one group: from its end to its last selected row.
  void take_one_group(const Morsel& morsel, AccessLog& accesses, LastRows last);
  // Sets bits_; returns whether one of the rows is selected.
  bool select(const Morsel& morsel, RowRange rows, AccessLog& accesses);
  // Logs the read of the keys that no condition has read, which are in the cache. Computed ones are
  // made.
  void read_keys(const Morsel& morsel, AccessLog& accesses);
  // Of the rows selected last, whose ids were read.
  void note_ids(const Morsel& morsel, LastRows last);

  const QueryInput& input_;
  ComputedColumns& computed_;
  SlotReader reader_;
  FoundGroups found_;
  alignas(64) std::uint64_t bits_[kMorselRows / 64];  // of the rows selected last
};

}  // namespace hdbench
