// Grouping for millions of groups: rows are collected, partitioned into ranges of keys,
// and each range is grouped separately.
//
// There are at most 256 ranges, so that the groups of one range stay in the caches. Ranges need no
// merging: their results in order are the result. All workers take part in every step. Memory comes
// from the query's workspace: keys and values of the selected rows, twice while they are
// partitioned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/exec/computed_columns.h"
#include "engine/exec/group_state.h"
#include "engine/operator/access_log.h"

namespace hdbench {

class KeySplitters;

// The arrays of a row that is kept: the words of its key, its RowId where first or last rows are
// requested, and the fields that are aggregated.
struct KeptArrays {
  std::vector<std::size_t> fields;    // of the last arrays
  std::vector<std::uint32_t> widths;  // bytes of an element, by array
  std::vector<std::size_t> offsets;   // of an array, in bytes a row
  std::size_t row_bytes = 0;
  std::size_t words = 0;
  bool has_row_ids = false;  // array `words`

  std::size_t array_of(std::size_t field) const;
};

class SpreadGroups {
 public:
  // Whether this serves the query: not for nested keys, whose words are in no order.
  static bool serves(const GroupTask& task);

  explicit SpreadGroups(const GroupTask& task);
  ~SpreadGroups();

  // Keeps a morsel's selected rows, each morsel's once; by its number, each worker. Throws
  // WorkspaceLimit and QueryStop.
  void collect(std::size_t m, std::size_t worker, AccessLog& accesses);
  // The result of all rows that were collected. `accesses`: by worker.
  ResultTable finish(std::span<AccessLog> accesses);

 private:
  struct Range;
  struct Block;

  // Fills a block's arrays with the selected rows of a piece, from row `at` of the block on.
  void keep_piece(const Morsel& morsel, const PartitionView& view, RowRange rows,
                  const std::uint64_t* bits, std::size_t count, Block& block, std::size_t at);
  void note_reads(const Morsel& morsel, const std::uint64_t* bits, AccessLog& accesses) const;
  KeySplitters choose_splitters() const;
  // Writes a block's ranges, and counts its rows by range.
  void find_ranges(const KeySplitters& splitters, Block& block) const;
  void make_ranges(std::size_t count);
  // Moves a block's rows to their ranges' arrays; `b`: its number.
  void move_rows(std::size_t b, AccessLog& accesses);
  ResultTable group(Range& range, AccessLog& accesses);
  // Whether a range's rows are in the order of their keys, as those of a table that is sorted by
  // them are.
  bool rises(const Range& range) const;
  ResultTable join(std::vector<ResultTable>& parts, std::span<AccessLog> accesses);
  // The numbers of the keys [begin, begin + count) of a block or a range, in their order, word by
  // word.
  template <typename Arrays>
  std::vector<const std::int64_t*> numbers_of(const Arrays& block, std::size_t begin,
                                              std::size_t count,
                                              std::pmr::vector<std::int64_t>& scratch) const;

  const GroupTask& task_;
  ThreadPool& pool_;
  std::pmr::memory_resource& memory_;
  KeptArrays arrays_;
  std::vector<std::size_t> computed_fields_;    // among the keys and those kept
  std::deque<ComputedColumns> computed_;        // by worker
  std::vector<std::unique_ptr<Block>> blocks_;  // by morsel; null: no rows
  std::vector<std::unique_ptr<Range>> ranges_;
};

}  // namespace hdbench
