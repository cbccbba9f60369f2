// One worker's groups: fed with morsels, merged with other workers' at the end.
//
// Where keys address a small table, a group's number here is its slot (GroupIndex); only
// settle_groups() numbers those that have rows. Else keys are looked up in a hash table. Rows that
// all have one key (a run: no by, a partition, sorted data) skip both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/exec/last_row_scan.h"
#include "engine/exec/query_input.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/group_rows.h"
#include "engine/operator/id_runs.h"
#include "engine/operator/selected_median.h"
#include "engine/operator/slot_reader.h"
#include "engine/operator/touch_log.h"

namespace hdbench {

// What all workers of a query share: the key columns, and what must be kept a group.
struct GroupTask {
  const QueryInput& input;
  const ExecuteSettings& settings;
  std::vector<KeyColumn> keys;
  GroupRowNeeds needs;
  std::vector<ValueRange> ranges;  // by output, of a median's values
};

// Which keys a worker keeps, by their hash: one of `of` parts, so that workers that all see all
// morsels have no key in common.
struct KeyShare {
  std::size_t part = 0;
  std::size_t of = 1;
};

class GroupWorker {
 public:
  GroupWorker(const GroupTask& task, std::pmr::memory_resource& resource, KeyShare share = {});

  // Filters and groups a morsel, by its number; they may come in any order. Throws WorkspaceLimit
  // and QueryStop.
  void take(std::size_t m, TouchLog& touched);

  // Adds another worker's groups to this one's.
  void merge(GroupWorker& other);
  // The same of a worker with another share. No morsel is taken after this.
  void append(GroupWorker& other);

  // Whether keys are looked up, not read as slots: only then there are shares.
  bool is_hashed() const { return !slot_reader_ && !last_row_scan_; }
  // Rows taken so far. Requires: is_hashed().
  std::uint64_t rows_taken() const { return rows_taken_; }

  // Whether the morsels must be taken once more; then every worker begins its second pass with the
  // one that all were merged into. What is merged after that is of the second pass.
  bool needs_second_pass() const;
  void begin_second_pass(const GroupWorker& merged);
  bool is_in_second_pass() const { return !in_second_pass_.empty(); }

  // Numbers the groups that have rows, and the one without a key even if it has none. Not before
  // all morsels are taken and all workers merged.
  void settle_groups();
  // Requires: settle_groups().
  const GroupIndex& groups() const { return index_; }
  // Where a group stands in rows() and in the aggregators.
  std::uint32_t place(std::uint32_t group) const {
    return places_.empty() ? group : places_[group];
  }

  // By place.
  const GroupRows& rows() const { return rows_; }
  // By output; null where none is needed.
  Aggregator* aggregator(std::size_t output) { return aggregators_[output].get(); }

 private:
  // The output's, where it takes part in this pass.
  Aggregator* active(std::size_t output);
  void make_aggregators(std::pmr::memory_resource& resource);
  // `scanned`: of what every share's worker reads.
  void take_morsel(const Morsel& morsel, TouchLog& touched, TouchLog& scanned);
  // Of the aggregators in this pass: those that take a piece's rows so.
  enum class Which : std::uint8_t { kAll, kOfRuns, kOfBatches };
  bool takes(std::size_t output, Which which);
  void settle_preferences();
  // Rows that have one group; `bits`: the selected ones, `count` of them.
  void take_run(const Slice& slice, RowRange rows, const std::uint64_t* bits, std::size_t count,
                std::uint32_t group, Which which, TouchLog& touched);
  // Groups at most kPieceRows rows: those whose bit is set (all where bits is null).
  void take_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits, std::size_t count,
                  TouchLog& touched, TouchLog& scanned);
  // Writes the words of the selected rows' keys.
  void read_keys(const Morsel& morsel, RowRange rows, const std::uint64_t* bits, std::size_t count,
                 TouchLog& scanned);
  // Leaves the words of this share's keys, and their rows' bits in own_bits_; returns how many.
  std::size_t keep_own(RowRange rows, const std::uint64_t* bits, std::size_t count);
  void merge_all(GroupWorker& other, std::span<const std::uint32_t> mapping);
  void begin_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits);
  // The selected values of a field, packed.
  const std::byte* packed_values(const Slice& slice, std::size_t field, RowRange rows,
                                 const std::uint64_t* bits, std::size_t count,
                                 std::pmr::vector<std::byte>& scratch, TouchLog& touched);
  // Counts a piece's read of a field once, however many aggregates take it: the others find it
  // cached.
  void note_read(const Slice& slice, std::size_t field, TouchLog& touched);
  void resize(std::size_t groups);
  std::optional<ToldKey> told_key(const Morsel& morsel) const;

  const GroupTask& task_;
  GroupIndex index_;
  GroupRows rows_;
  std::vector<std::unique_ptr<Aggregator>> aggregators_;
  std::size_t group_count_ = 0;
  std::vector<bool> in_second_pass_;  // by output; empty in the first
  bool takes_runs_ = false;           // some aggregator of this pass does
  bool takes_batches_ = false;

  // For plans of last rows whose keys address a table; all below is not used then.
  std::unique_ptr<LastRowScan> last_row_scan_;
  // For other plans of such keys.
  std::unique_ptr<SlotReader> slot_reader_;
  IdRuns id_runs_;
  std::pmr::vector<std::uint32_t> places_;  // by group, where groups are numbered by slot

  // Of the current piece: its rows, and the fields whose bytes were counted.
  Selected selected_;
  std::vector<bool> fields_noted_;

  KeyShare share_;
  std::uint64_t rows_taken_ = 0;
  TouchLog unlogged_;  // what another share's worker logs
  std::pmr::vector<std::uint64_t> own_bits_;

  // Scratch for a morsel's bits and a piece's rows.
  std::pmr::vector<std::uint64_t> bits_;
  std::pmr::vector<std::uint64_t> words_;
  std::vector<std::uint64_t*> word_pointers_;
  std::pmr::vector<std::uint32_t> groups_;
  std::pmr::vector<std::uint32_t> positions_;
  std::pmr::vector<std::uint16_t> run_positions_;
  std::pmr::vector<std::byte> values_;
  std::pmr::vector<std::byte> weights_;
};

}  // namespace hdbench
