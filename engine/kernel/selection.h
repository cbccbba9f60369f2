// Bitmaps (bits.h): how many rows and lines of memory a selection touches, which values differ from
// those before them. Compiled for each vector instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

// Memory is read in lines of this many bytes.
constexpr std::size_t kLineBytes = 64;

std::size_t count_bits(const std::uint64_t* bits, std::size_t words);

// Words of 64 rows that have a selected one.
std::size_t count_words(const std::uint64_t* bits, std::size_t words);

// Bytes of a column that reading the selected elements touches: whole lines that hold at least one
// of them, as if the first element began a line, and not more than rows * width in all. width: 1,
// 2, 4, 8 or 16.
struct SelectionShape {
  const std::uint64_t* bits = nullptr;
  std::size_t rows = 0;
};
std::uint64_t accessed_bytes(const SelectionShape& selection, std::uint32_t width);

// Sets bit i (bits.h) where values[i] is not values[i - 1]; values[0] is held against `before`.
// Other bits stay.
void note_changes(const std::int64_t* values, std::int64_t before, std::size_t count,
                  std::uint64_t* bits);

// A byte a bit: 1 where it is set, else 0.
void bytes_of_bits(const std::uint64_t* bits, std::size_t count, std::byte* bytes);

}  // namespace hdbench
