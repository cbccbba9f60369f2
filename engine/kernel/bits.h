// Selections as bitmaps: one bit for each row of a morsel, bit i of word w for row 64 w + i. Bits
// beyond the rows are zero.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hdbench {

constexpr std::size_t kWordRows = 64;

constexpr std::size_t words_for(std::size_t rows) { return (rows + kWordRows - 1) / kWordRows; }

// The low `rows` bits set, for the last word of a bitmap; all 64 when rows is a multiple of 64 and
// not zero.
constexpr std::uint64_t tail_mask(std::size_t rows) {
  return rows % kWordRows == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (rows % kWordRows)) - 1;
}

inline bool is_set(const std::uint64_t* bits, std::uint64_t row) {
  return (bits[row / kWordRows] >> (row % kWordRows) & 1) != 0;
}

inline void set_bits(std::uint64_t* bits, std::size_t rows) {
  const std::size_t words = words_for(rows);
  for (std::size_t w = 0; w < words; ++w) bits[w] = ~std::uint64_t{0};
  if (words != 0) bits[words - 1] = tail_mask(rows);
}

// Writes the positions of the set bits, rising, and returns how many. Requires: a Position that
// holds them.
template <typename Position>
std::size_t positions_of(const std::uint64_t* bits, std::size_t rows, Position* positions) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words_for(rows); ++w) {
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
      positions[count++] = static_cast<Position>(w * kWordRows + std::countr_zero(word));
    }
  }
  return count;
}

}  // namespace hdbench
