// One worker's groups: takes morsels, and is merged with the other workers' groups at the end.
//
// Where keys address a small table, a group's number is its slot (GroupIndex), and settle_groups()
// numbers the slots that have rows. Otherwise keys are looked up in a hash table. Runs of rows with
// one key (no by, a partition, sorted data) skip both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/exec/computed_columns.h"
#include "engine/exec/group_state.h"
#include "engine/kernel/reduce.h"
#include "engine/operator/access_log.h"
#include "engine/operator/slot_reader.h"

namespace hdbench {

class LastRowScan;

class GroupWorker {
 public:
  GroupWorker(const GroupTask& task, std::pmr::memory_resource& resource);
  ~GroupWorker();

  // Filters and groups a morsel, by its number; they may come in any order. Throws WorkspaceLimit
  // and QueryStop.
  void take(std::size_t m, AccessLog& accesses);

  // Adds another worker's groups to this one's.
  void merge(GroupWorker& other);

  // Whether the groups no longer fit into the caches and the last rows still brought new ones; of a
  // single worker also whether so many more are to come that they will be twice what fits. False
  // where keys are read as slots.
  bool has_many_groups(std::size_t workers) const;
  // Rows taken so far whose keys were looked up.
  std::uint64_t rows_taken() const { return rows_taken_; }

  // Whether the morsels must be taken once more; then every worker begins its second pass with the
  // one that all were merged into. What is merged after that is of the second pass.
  bool needs_second_pass() const { return state_.needs_second_pass(); }
  void begin_second_pass(const GroupWorker& merged);

  // Numbers the groups that have rows, and the one without a key even if it has none. Not before
  // all morsels are taken and all workers merged.
  void settle_groups() {
    if (slot_reader_) state_.settle();
  }
  GroupState& state() { return state_; }

 private:
  void take_rows(std::size_t m, AccessLog& accesses);
  void take_morsel(const Morsel& morsel, AccessLog& accesses);
  // Of the aggregators in this pass: those that take a piece's rows so.
  enum class Which : std::uint8_t { kAll, kRuns, kBatches };
  bool takes(std::size_t output, Which which);
  void settle_preferences();
  // Rows that have one group; `bits`: the selected ones, `count` of them.
  void take_run(const PartitionView& view, RowRange rows, const std::uint64_t* bits,
                std::size_t count, std::uint32_t group, Which which, AccessLog& accesses);
  // Groups at most kPieceRows rows: those whose bit is set (all where bits is null).
  void take_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits, std::size_t count,
                  AccessLog& accesses);
  // The selected values of a field, packed.
  const std::byte* packed_values(const PartitionView& view, std::size_t field, RowRange rows,
                                 const std::uint64_t* bits, std::size_t count,
                                 std::pmr::vector<std::byte>& scratch, AccessLog& accesses);
  // The rows of a computed field's first input that are read after a piece that ends at `row`, from
  // the first one that the evaluator has not requested. None of a stored field.
  static RowsAhead rows_ahead(const PartitionView& view, std::size_t field, std::uint64_t row);
  const GroupTask& task_;
  GroupState state_;
  ComputedColumns computed_;
  bool aggregates_computed_ = false;  // some aggregate is of a computed field
  bool takes_runs_ = false;           // some aggregator of this pass does
  bool takes_batches_ = false;

  // For plans of last rows whose keys address a table; all below is not used then.
  std::unique_ptr<LastRowScan> last_row_scan_;
  // For other plans of such keys.
  std::unique_ptr<SlotReader> slot_reader_;
  IdRuns id_runs_;
  NeighbourRuns neighbour_runs_;

  std::size_t view_number_ = 0;  // of the current piece
  PieceReads reads_;             // its

  // Rows of the morsels taken so far and of the last one that had selected rows.
  std::uint64_t rows_visited_ = 0;
  std::uint64_t visited_of_morsel_ = 0;
  // Of hashed keys: selected rows in all, and the last morsel's selected rows and new groups.
  std::uint64_t rows_taken_ = 0;
  std::uint64_t rows_of_morsel_ = 0;
  std::uint64_t groups_of_morsel_ = 0;
  // And runs of neighbours with one key: as many as new groups where keys do not come again.
  std::uint64_t runs_taken_ = 0;
  std::uint64_t runs_of_morsel_ = 0;

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
