// Ids: symbol codes and small integers at the narrowest width that holds them, so that later
// kernels test 64 rows with one or two vectors.
//
// A buffer of ids has space for whole words of 64 rows; ids beyond the rows are undefined. One loop
// over plain arrays: allocates nothing, cannot fail. Compiled for each vector instruction set
// (Highway); the best one is chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

// Bytes that hold every id below `count`: 1, 2 or 4.
constexpr std::uint32_t id_width(std::uint64_t count) {
  if (count <= 256) return 1;
  return count <= 65536 ? 2 : 4;
}

struct IdSource {
  std::uint32_t width = 8;  // of a value: 1, 2, 4 or 8 bytes; no alignment is needed
  const std::byte* values = nullptr;
  std::size_t rows = 0;
  // Words of 64 rows that are zero are not read and their ids are left as they are; null: all rows.
  const std::uint64_t* bits = nullptr;
};

// ids[row] = value - base, unsigned, in `width` bytes (1, 2 or 4, not above the source's). Returns
// the bits that the differences looked at have, or-ed: all of them fit n bits when the result is
// below 2^n. A difference that does not fit has no defined id.
std::uint64_t to_ids(const IdSource& source, std::uint64_t base, std::uint32_t width,
                     std::byte* ids);

// Whether all of `count` values of `width` bytes (1, 2, 4 or 8) equal the first. Requires: count >
// 0.
bool all_equal(std::uint32_t width, const std::byte* values, std::size_t count);

// combined[row] |= ids[row] << shift, for `words` words of 64 rows; where the ids do not fit when
// shifted, the combined ids mean nothing. Requires: width <= combined_width (each 1, 2 or 4).
struct IdPart {
  std::uint32_t width = 1;
  const std::byte* ids = nullptr;
  std::uint32_t shift = 0;
};
void add_ids(const IdPart& part, std::size_t words, std::uint32_t combined_width,
             std::byte* combined);

// The rows of `words` words of 64 whose bit is set in `left` and that have this id: their bits go
// to `taken`, and are cleared in `left`. Returns how many.
struct EqualIds {
  std::uint32_t width = 1;  // 1, 2 or 4
  const std::byte* ids = nullptr;
  std::size_t words = 0;
  std::uint32_t id = 0;
};
std::size_t take_equal(const EqualIds& equal, std::uint64_t* left, std::uint64_t* taken);

}  // namespace hdbench
