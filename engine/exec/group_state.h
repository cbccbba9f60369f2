// The groups of a query: what defines them, what is kept of them, and the table that they become.
//
// Groups are numbered in order of first appearance, or by slot where keys address a small table
// (GroupIndex); settle() then numbers the slots that have rows. Memory comes from the query's
// workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"
#include "engine/operator/access_log.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_aggregates.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/slot_reader.h"

namespace hdbench {

// The key columns, and what must be kept a group. Shared read-only by the workers.
struct GroupTask {
  const QueryInput& input;
  std::vector<KeyColumn> keys;
  GroupRowNeeds needs;
  std::vector<ValueRange> ranges;  // by output, of a median's values
  // Groups are merged with another process's: outputs that are not elements of a row are left out
  // of the result, and no median is found in two passes.
  bool is_partial = false;
};

// The key that an index says all of a morsel's rows have.
std::optional<FixedKey> fixed_key(const QueryInput& input, const Morsel& morsel);

// Writes the words of the selected rows' keys (key_words()); what an index tells is not read.
// `view`: the morsel's, in which computed keys are made for these rows. `scratch` has space for
// count x 16 bytes. Throws QueryStop.
void read_key_words(const GroupTask& task, const Morsel& morsel, const PartitionView& view,
                    RowRange rows, const std::uint64_t* bits, std::size_t count, std::byte* scratch,
                    std::span<std::uint64_t* const> words);

// Logs each column that is read of a piece's selected rows once, however many operators look at it:
// the others find it in the cache, as all do what a condition has read.
class PieceReads {
 public:
  void begin(const QueryInput& input, const Morsel& morsel, RowRange rows,
             const std::uint64_t* bits);
  // The columns behind a field.
  void note(const PartitionView& view, std::size_t field, AccessLog& accesses);
  // The same, and a computed field's column is made, once a piece. Throws QueryStop.
  void make(const PartitionView& view, std::size_t field, AccessLog& accesses);
  // The same of a key, of which a compressed column has all rows of the piece unpacked: rows are
  // numbered whether they are selected or not.
  void make_key(const PartitionView& view, std::size_t field, AccessLog& accesses);

 private:
  Selected selected_;
  std::vector<bool> noted_;  // by field
};

class GroupState : public GroupAggregates {
 public:
  // cardinalities: for the index (word_cardinalities(), or zeros to have keys hashed).
  GroupState(const GroupTask& task, std::span<const std::uint64_t> cardinalities,
             std::pmr::memory_resource& resource);

  // One for each output that has one. by_slot: a group's number is its slot in the index.
  void make_aggregators(bool by_slot);

  // Numbers the slots that have rows, and the group without a key even if it has none. Requires:
  // numbers by slot, counts of rows; nothing is added after this.
  void settle();
  // The index of a group in rows() and in the aggregators.
  std::uint32_t place(std::uint32_t group) const {
    return places_.empty() ? group : places_[group];
  }

  GroupIndex& index() { return index_; }
  const GroupIndex& index() const { return index_; }

 private:
  const GroupTask& task_;
  std::pmr::memory_resource& resource_;
  GroupIndex index_;
  std::pmr::vector<std::uint32_t> places_;  // by group, where groups are numbered by slot
};

// Whether the groups are the different rows of a select distinct: their first rows are shown.
bool is_distinct(const TablePlan& plan);

// Whether a key's element is shown as its group's last row has it: words do not tell a list's
// items, nor -0 from 0.
bool is_key_of_a_row(QType type);

// The table of keys and outputs. `order`: of groups (sorted_groups()). Many are finished by all of
// the pool's threads (null: by this one). What is read of columns is logged, what is written is
// not. Requires: all rows are taken; GroupState::settle() where groups are numbered by slot. Throws
// QueryStop and WorkspaceLimit.
ResultTable make_group_result(const GroupTask& task, const GroupState& groups,
                              std::span<const std::uint32_t> order, ThreadPool* pool,
                              AccessLog& accesses);

}  // namespace hdbench
