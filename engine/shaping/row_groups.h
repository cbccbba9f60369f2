// Rows with equal keys, found by hashing their words.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/base/thread_pool.h"
#include "engine/operator/access_log.h"
#include "engine/shaping/row_words.h"

namespace hdbench {

// Numbers the different keys of rows from 0 on, in the order of their first rows, and finds the
// numbers of other rows with such keys. Memory comes from the resource; each place of the hash
// table that is looked at, the keys that a row is compared with, and the runs are told to the
// log.
class RowGroups {
 public:
  // Rows with one key beside each other, up to the next run's begin.
  struct Run {
    std::uint32_t begin = 0;
    std::uint32_t group = 0;
  };

  static constexpr std::uint32_t kNone = UINT32_MAX;

  // `keys`: the words of all rows, an array a column of the key. Requires: one at least; fewer than
  // 2^32 - 1 rows. The arrays and the log must outlive this.
  RowGroups(std::span<const Words> keys, ThreadPool& pool, std::pmr::memory_resource& resource,
            AccessLog& accesses);

  // All rows, in their order.
  std::span<const Run> runs() const { return runs_; }
  std::size_t rows() const { return keys_.front().size(); }
  // Where run r ends.
  std::size_t end_of(std::size_t r) const {
    return r + 1 == runs_.size() ? rows() : runs_[r + 1].begin;
  }
  // By number: the first row that has it.
  std::span<const std::uint32_t> first_rows() const { return first_rows_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(first_rows_.size()); }

  // The number of the key that row `row` of other words has, or kNone. Requires: as many arrays.
  std::uint32_t find(std::span<const Words> keys, std::size_t row) const;

 private:
  void find_runs(ThreadPool& pool, std::pmr::memory_resource& resource);
  std::size_t slot_of(std::span<const Words> keys, std::size_t row) const;
  void note_place(std::size_t slot) const;

  std::span<const Words> keys_;
  AccessLog& accesses_;
  std::pmr::vector<std::uint32_t> slots_;  // number + 1; 0: free
  std::pmr::vector<Run> runs_;
  std::pmr::vector<std::uint32_t> first_rows_;
};

// Where functions begin anew: segment s is the rows order[k] for ends[s - 1] <= k < ends[s], in the
// table's order. An empty `order` is all rows as they are.
struct RowSegments {
  std::pmr::vector<std::uint32_t> order;
  std::pmr::vector<std::uint64_t> ends;
};

// Segments are the keys, in the order of their first rows. Throws WorkspaceLimit.
RowSegments make_segments(const RowGroups& keys, std::pmr::memory_resource& resource,
                          AccessLog& accesses);

}  // namespace hdbench
