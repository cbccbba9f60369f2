// What is kept of groups: row counts, first rows and last rows (RowId), each only if requested, and
// an aggregator for each output that is made of values.
//
// Each is a function of the set of rows: batches may come in any order, and partial ones merge.
// Memory comes from the query's workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/plan.h"

namespace hdbench {

struct GroupRowNeeds {
  bool counts = false;
  bool first = false;
  bool last = false;
};

// Row i of a batch is `base` (a RowId) + positions[i], or base + i where positions are null; rows
// rise, by 2^16 at most.
struct RowBatch {
  const std::uint32_t* groups = nullptr;
  std::size_t count = 0;
  std::uint64_t base = 0;
  const std::uint32_t* positions = nullptr;
  // The groups lie in [groups_begin, groups_end).
  std::size_t groups_begin = 0;
  std::size_t groups_end = 0;

  std::uint32_t position(std::size_t i) const {
    return positions == nullptr ? static_cast<std::uint32_t>(i) : positions[i];
  }
};

class GroupRows {
 public:
  GroupRows(GroupRowNeeds needs, std::pmr::memory_resource& resource);
  // Counts are kept as well. Requires: no groups yet.
  void need_counts() { needs_.counts = true; }

  void resize(std::size_t groups);
  // Returns how many of the rows one group has, at most.
  std::size_t note(const RowBatch& batch);
  // `count` rows of any groups, each by its RowId (null where neither first nor last rows are
  // needed).
  void note_rows(const std::uint32_t* groups, std::size_t count, const std::uint64_t* rows);
  // Rows of one group: `count` of them, from RowId `first` to `last`.
  void note_run(std::uint32_t group, std::uint64_t count, std::uint64_t first, std::uint64_t last);
  void merge(const GroupRows& other, std::span<const std::uint32_t> mapping);

  // By group; empty where not needed. A group without rows has the first row UINT64_MAX.
  std::span<const std::uint64_t> counts() const { return counts_; }
  std::span<const std::uint64_t> first_rows() const { return first_rows_; }
  std::span<const std::uint64_t> last_rows() const { return last_rows_; }
  // For a last-row scan, which keeps them itself.
  std::pmr::vector<std::uint64_t>& last_rows_to_fill() { return last_rows_; }

 private:
  std::size_t note_few(const RowBatch& batch);
  void note_last(const RowBatch& batch, std::size_t present);
  void note_first(const RowBatch& batch, std::size_t present);
  // row_of(i): the RowId of row i.
  template <typename RowOf>
  void note_each(const std::uint32_t* groups, std::size_t count, const RowOf& row_of);

  GroupRowNeeds needs_;
  std::pmr::vector<std::uint64_t> counts_;
  std::pmr::vector<std::uint64_t> first_rows_;
  std::pmr::vector<std::uint64_t> last_rows_;
  // Of a batch whose groups are few, from its first one on; zeros between batches.
  static constexpr std::size_t kFewGroups = 256;
  static constexpr std::size_t kCopies = 4;
  enum : std::uint8_t { kWanted, kMet, kDone };
  std::uint32_t batch_counts_[kCopies][kFewGroups] = {};
  std::uint8_t batch_rows_[kFewGroups];
};

class GroupAggregates {
 public:
  GroupAggregates(GroupRowNeeds needs, std::pmr::memory_resource& resource)
      : rows_(needs, resource) {}

  // One an output, in their order; null where none is needed. Requires: no groups yet.
  void add(std::unique_ptr<Aggregator> aggregator) {
    aggregators_.push_back(std::move(aggregator));
  }
  // Room for so many groups, new ones being empty.
  void resize(std::size_t groups);
  std::size_t group_count() const { return group_count_; }

  GroupRows& rows() { return rows_; }
  const GroupRows& rows() const { return rows_; }
  // The output's aggregator where it takes part in this pass, else null.
  Aggregator* active(std::size_t output) const {
    return in_second_pass_.empty() || in_second_pass_[output] ? aggregators_[output].get()
                                                              : nullptr;
  }

  // Group g of `other` becomes part of group mapping[g]: of this pass's aggregators, and in the
  // first pass of the rows.
  void merge(GroupAggregates& other, std::span<const std::uint32_t> mapping);

  // As Aggregator's, of all aggregators; the rows are the caller's.
  void save(std::span<const std::uint32_t> order, ByteSink& out);
  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping);

  // Whether all rows must be passed a second time; then all begin that pass with the one that the
  // others were merged into. Rows are complete by then.
  bool needs_second_pass() const;
  void begin_second_pass(const GroupAggregates& merged);
  bool is_first_pass() const { return in_second_pass_.empty(); }

  // The column of an output that aggregates: of the groups in `order`. `type`: of its argument.
  // Many groups are finished by all of the pool's threads (null: by this one).
  ResultColumn finish(std::size_t number, const Output& output, QType type,
                      std::span<const std::uint32_t> order, ThreadPool* pool,
                      std::pmr::memory_resource& resource) const;

 private:
  GroupRows rows_;
  std::vector<std::unique_ptr<Aggregator>> aggregators_;  // by output
  std::vector<bool> in_second_pass_;                      // by output; empty in the first
  std::size_t group_count_ = 0;
};

}  // namespace hdbench
