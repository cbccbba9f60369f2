// A column's values as blocks of doubles: in place, or converted into a buffer.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/column/type.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/reduce.h"
#include "engine/kernel/split_sum.h"

namespace hdbench {

// Valid as long as the values and the buffer are; the buffer has room for `count`.
inline const double* doubles_of(QType type, const std::byte* values, std::size_t count,
                                double* buffer) {
  if (is_floating(type) && type != QType::kReal) return reinterpret_cast<const double*>(values);
  widen_to_doubles(type, values, count, buffer);
  return buffer;
}

// Calls take(start, count) for blocks of kSplitRowsMax rows at most, whole words of 64 rows but for
// the last.
template <typename Take>
void each_block(std::size_t rows, const Take& take) {
  static_assert(kSplitRowsMax % kWordRows == 0, "blocks begin with a word of bits");
  for (std::size_t start = 0; start < rows; start += kSplitRowsMax)
    take(start, std::min(kSplitRowsMax, rows - start));
}

}  // namespace hdbench
