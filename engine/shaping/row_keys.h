// Keys of a result's rows: columns as words, a row each, for comparing rows of any type; and rows
// with equal keys, found by hashing their words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/operator/access_log.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// A multiple of 64 rows: chunks share no word of a bitmap of rows.
constexpr std::size_t kChunkRows = std::size_t{1} << 14;

// Calls work(begin, end) of each chunk on any thread; the order is any.
inline void for_each_chunk(ThreadPool& pool, std::uint64_t rows,
                           const std::function<void(std::size_t begin, std::size_t end)>& work,
                           std::size_t chunk_rows = kChunkRows) {
  const std::uint64_t chunks = (rows + chunk_rows - 1) / chunk_rows;
  pool.run(static_cast<std::size_t>(chunks), [&](std::size_t chunk, std::size_t) {
    const std::size_t begin = chunk * chunk_rows;
    work(begin, std::min(begin + chunk_rows, static_cast<std::size_t>(rows)));
  });
}

// A word a row, not set when it is made: the threads that fill it touch its memory first.
class Words {
 public:
  Words(std::size_t count, std::pmr::memory_resource& resource)
      : buffer_(resource, count * sizeof(std::int64_t)), count_(count) {}
  // A column's elements themselves, which outlive this and are not written. Requires: they are
  // aligned words.
  Words(const Buffer& elements, std::size_t count)
      : buffer_(Buffer::view(elements.data(), elements.bytes(), nullptr)), count_(count) {}

  std::size_t size() const { return count_; }
  std::int64_t* data() { return reinterpret_cast<std::int64_t*>(buffer_.data()); }
  const std::int64_t* data() const { return reinterpret_cast<const std::int64_t*>(buffer_.data()); }
  std::int64_t* begin() { return data(); }
  std::int64_t* end() { return data() + count_; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + count_; }
  std::int64_t& operator[](std::size_t row) { return data()[row]; }
  const std::int64_t& operator[](std::size_t row) const { return data()[row]; }

 private:
  Buffer buffer_;
  std::size_t count_ = 0;
};

// Words that rise as the elements do in q's order: nulls first, symbols by their text. Of guids two
// arrays, the first one foremost. Requires: no lists.
std::vector<Words> order_words(const ResultColumn& column, std::uint64_t rows,
                               const QueryContext& context);

// Words that are equal where the elements are: of symbols their codes. Requires: no lists.
std::vector<Words> equality_words(const ResultColumn& column, std::uint64_t rows,
                                  const QueryContext& context);

// The same for the rows [begin, end) alone. Requires: no guids.
void equality_words(const ResultColumn& column, std::size_t begin, std::size_t end,
                    std::int64_t* words);

// Whether two rows' words are the same.
inline bool are_equal(std::span<const Words> a, std::size_t row_of_a, std::span<const Words> b,
                      std::size_t row_of_b) {
  for (std::size_t column = 0; column < a.size(); ++column) {
    if (a[column][row_of_a] != b[column][row_of_b]) return false;
  }
  return true;
}

// Numbers the different keys of rows from 0 on, in the order of their first rows, and finds the
// numbers of other rows with such keys. Memory comes from the workspace; each place of the hash
// table that is looked at, the keys that a row is compared with, and the runs are logged.
class RowGroups {
 public:
  // Rows with one key beside each other, up to the next run's begin.
  struct Run {
    std::uint32_t begin = 0;
    std::uint32_t group = 0;
  };

  static constexpr std::uint32_t kNone = UINT32_MAX;

  // `keys`: the words of all rows, an array a column of the key. Requires: one at least; fewer than
  // 2^32 - 1 rows. The arrays and the context must outlive this.
  RowGroups(std::span<const Words> keys, QueryContext& context);

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
  void find_runs(const QueryContext& context);
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
  explicit RowSegments(std::pmr::memory_resource& memory) : order(&memory), ends(&memory) {}

  std::pmr::vector<std::uint32_t> order;
  std::pmr::vector<std::uint64_t> ends;
};

// Segments are the keys, in the order of their first rows. Throws WorkspaceLimit.
RowSegments make_segments(const RowGroups& keys, QueryContext& context);

}  // namespace hdbench
