// Reductions: sum, minimum or maximum of the selected values of a block.
//
// A kernel is one pass over plain arrays: it allocates nothing and cannot fail. Compiled for each
// vector instruction set (Highway); the best one is chosen at run time. Nulls (type.h) are skipped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/column/type.h"

namespace hdbench {

// What a kernel asks memory for while it works on a block that is in the caches already: elements
// of `width` bytes, of as many rows as the block has, at any address: a line that is not
// there is requested in vain. Null: none but the block's own column.
struct RowsAhead {
  const std::byte* begin = nullptr;
  std::size_t width = 0;

  RowsAhead from(std::size_t row) const {
    return begin == nullptr ? *this : RowsAhead{begin + row * width, width};
  }
};

// Rows of one column: those whose bit is set (bits.h), or all where `bits` is null. The elements
// lie packed, at any address.
struct ValueBlock {
  const std::byte* values = nullptr;
  std::size_t rows = 0;
  const std::uint64_t* bits = nullptr;
  RowsAhead ahead{};
};

// Rows of a block at most, for which the kernels' lanes do not overflow.
constexpr std::size_t kReducedRowsMax = std::size_t{1} << 16;

// The exact sum of integers: high * 2^32 + low.
struct IntegerTotal {
  std::int64_t high = 0;
  std::uint64_t low = 0;
  std::uint64_t nulls = 0;  // of the selected rows
};

// Requires: an integer or temporal type other than datetime; rows <= kReducedRowsMax.
IntegerTotal integer_total(QType type, const ValueBlock& block);

// The order key (order_key.h) of the least and of the greatest value; of none, the key of the
// type's infinity (order_keys.h). Requires: a scalar type with an order, no symbol.
std::int64_t lowest_key(QType type, const ValueBlock& block);
std::int64_t highest_key(QType type, const ValueBlock& block);

// `count` packed numbers or temporals as doubles, nulls as NaN.
void widen_to_doubles(QType type, const std::byte* values, std::size_t count, double* doubles);

}  // namespace hdbench
