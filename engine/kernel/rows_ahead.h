// What a kernel asks memory for while it works on a block that is in the caches already.
#pragma once

#include <cstddef>

namespace hdbench {

// Elements of `width` bytes, of as many rows as the block has, at any address: a line that is not
// there is asked for in vain. Null: none but the block's own column.
struct RowsAhead {
  const std::byte* begin = nullptr;
  std::size_t width = 0;

  RowsAhead from(std::size_t row) const {
    return begin == nullptr ? *this : RowsAhead{begin + row * width, width};
  }
};

}  // namespace hdbench
