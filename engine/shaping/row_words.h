// A result's column as words, a row each: for comparing rows of any type.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"

namespace hdbench {

// A word a row, not set when it is made: the threads that fill it touch its memory first.
class Words {
 public:
  Words(std::size_t count, std::pmr::memory_resource& resource)
      : buffer_(resource, count * sizeof(std::int64_t)), count_(count) {}

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
std::vector<Words> order_words(const ResultColumn& column, std::uint64_t rows, ThreadPool& pool,
                               std::pmr::memory_resource& resource);

// Words that are equal where the elements are: of symbols their codes. Requires: no lists.
std::vector<Words> equality_words(const ResultColumn& column, std::uint64_t rows, ThreadPool& pool,
                                  std::pmr::memory_resource& resource);

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

}  // namespace hdbench
