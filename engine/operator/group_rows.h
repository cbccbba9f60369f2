// Row counts, first rows and last rows (RowId) of groups, each only if requested.
//
// Each is a function of the set of rows: batches may come in any order, and partial ones merge.
// Memory comes from the query's workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

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
  void note_many(const RowBatch& batch);

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

}  // namespace hdbench
