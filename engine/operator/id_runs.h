// Splits rows by id, for few ids: one bitmap of rows for each id, so that reductions of whole
// vectors (reduce.h, split_sum.h) serve groups as they serve a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/kernel/bits.h"

namespace hdbench {

// Ids of 1, 2 or 4 bytes, whole words of 64 of them; those of rows that are not selected are any.
struct RowIds {
  std::uint32_t width = 1;
  const std::byte* ids = nullptr;
  std::size_t rows = 0;
  const std::uint64_t* bits = nullptr;  // the selected rows; null: all
};

class IdRuns {
 public:
  static constexpr std::size_t kRowsMax = 4096;
  static constexpr std::size_t kRunsMax = 8;

  struct Run {
    std::uint32_t id = 0;
    std::size_t count = 0;  // of rows
    std::uint64_t bits[kRowsMax / kWordRows] = {};
  };

  // Returns false if the selected rows have more than kRunsMax ids, and then for a while without
  // looking, as neighbouring rows have as many. Requires: rows <= kRowsMax.
  bool split(const RowIds& rows);
  // Of the last split() that returned true, by the id's first row.
  std::span<const Run> runs() const { return std::span(runs_).first(count_); }

 private:
  std::size_t count_ = 0;
  std::size_t skipped_ = 0;  // calls to be refused without a look
  std::uint64_t left_[kRowsMax / kWordRows] = {};
  Run runs_[kRunsMax];
};

}  // namespace hdbench
