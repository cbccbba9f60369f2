// One worker's groups: fed with morsels, merged with other workers' at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/exec/last_row_scan.h"
#include "engine/exec/query_input.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/touch_log.h"

namespace hdbench {

// What all workers of a query share: the key columns, and what must be kept a group.
struct GroupTask {
  const QueryInput& input;
  const ExecuteSettings& settings;
  std::vector<KeyColumn> keys;
  bool needs_count = false;
};

class GroupWorker {
 public:
  GroupWorker(const GroupTask& task, std::pmr::memory_resource& resource);

  // Filters and groups a morsel, by its number; they may come in any order. Throws WorkspaceLimit
  // and QueryStop.
  void take(std::size_t m, TouchLog& touched);

  // Adds another worker's groups to this one's.
  void merge(const GroupWorker& other);

  const GroupIndex& groups() const { return index_; }
  // RowIds, by group; the first ones are not kept for a plan of last rows.
  std::span<const std::uint64_t> first_rows() const { return first_rows_; }
  std::span<const std::uint64_t> last_rows() const { return last_rows_; }
  // Rows a group; filled when the task needs counts.
  std::span<const std::uint64_t> counts() const { return counts_; }
  // By output; null where none is needed.
  Aggregator* aggregator(std::size_t output) { return aggregators_[output].get(); }

  // One group without a key, even over no rows: what aggregates without by need.
  void ensure_one_group();

 private:
  // Groups at most kPieceRows rows of a morsel: those whose bit is set, `count` in all.
  void take_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits, std::size_t count,
                  TouchLog& touched);
  void note_rows(std::size_t slice, RowRange rows, const std::uint64_t* bits, std::size_t count);
  void update_aggregates(const Slice& slice, RowRange rows, const std::uint64_t* bits,
                         std::size_t count, TouchLog& touched);
  const std::byte* packed_values(const Slice& slice, std::size_t field, RowRange rows,
                                 const std::uint64_t* bits, std::size_t count,
                                 std::pmr::vector<std::byte>& scratch, TouchLog& touched);
  // Counts a piece's read of a field once, however many aggregates take it: the others find it
  // cached.
  void note_read(const Slice& slice, std::size_t field, TouchLog& touched);
  void resize(std::size_t groups);

  const GroupTask& task_;
  GroupIndex index_;
  std::pmr::vector<std::uint64_t> first_rows_;
  std::pmr::vector<std::uint64_t> last_rows_;
  std::pmr::vector<std::uint64_t> counts_;
  std::vector<std::unique_ptr<Aggregator>> aggregators_;

  // For plans of last rows whose keys address a table; all below is not used then.
  std::unique_ptr<LastRowScan> last_row_scan_;

  // Of the current piece: its rows, and the fields whose bytes were counted.
  Selected selected_;
  std::vector<bool> fields_noted_;

  // Scratch for a morsel's bits and a piece's rows.
  std::pmr::vector<std::uint64_t> bits_;
  std::pmr::vector<std::uint64_t> words_;
  std::vector<std::uint64_t*> word_pointers_;
  std::pmr::vector<std::uint32_t> groups_;
  std::pmr::vector<std::uint32_t> positions_;
  std::pmr::vector<std::byte> values_;
  std::pmr::vector<std::byte> weights_;
};

}  // namespace hdbench
