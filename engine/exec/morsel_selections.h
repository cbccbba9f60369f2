// The selection of each morsel, kept between filtering and gathering, in the smallest of three
// forms: nothing (no rows, or all), two bytes a selected row, or one bit a row.
//
// Workers allocate in blocks of kBlockBytes. Which worker filters which morsel varies between runs,
// and with it how full the last blocks are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory_resource>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"

namespace hdbench {

class MorselSelections {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{32} << 10;

  // `input` must outlive this. `workers`: of the pool; each uses its own number. Throws what the
  // resource throws (thread-safe), as keep() does.
  MorselSelections(const QueryInput& input, std::size_t workers,
                   std::pmr::memory_resource& resource);

  // Room for the bitmap (bits.h) of any morsel: the worker's own, until its next bits().
  std::uint64_t* room(std::size_t worker);
  // Keeps what the worker has put into its room. A morsel is kept once at most; until then it has
  // no rows.
  void keep(std::size_t morsel, std::size_t worker);
  void keep_all(std::size_t morsel);

  std::size_t count(std::size_t morsel) const { return kept_[morsel].count; }
  // The bitmap, until the worker's next bits() or room(); null: all rows. Requires: some rows.
  const std::uint64_t* bits(std::size_t morsel, std::size_t worker);

 private:
  using Position = std::uint16_t;
  static_assert(kMorselRows <= std::size_t{1} << 16, "a morsel's position has two bytes");

  enum class Form : std::uint8_t { kAll, kBits, kPositions };
  struct Kept {
    const void* data = nullptr;
    std::uint32_t count = 0;
    Form form = Form::kAll;
  };

  std::size_t rows(std::size_t morsel) const {
    return static_cast<std::size_t>(input_.morsels[morsel].rows.rows());
  }

  const QueryInput& input_;
  std::pmr::vector<Kept> kept_;
  Buffer rooms_;
  struct Blocks {
    explicit Blocks(std::pmr::memory_resource& of) : blocks(&of) {}
    std::pmr::vector<Buffer> blocks;
    std::size_t left = 0;  // at the end of the last one
  };
  void* take(std::size_t bytes, std::size_t worker);

  std::pmr::memory_resource& resource_;
  std::deque<Blocks> memory_;  // a worker's each
};

}  // namespace hdbench
