// Compress: the selected elements of a vector, packed. The gather step of every `select`.
//
// One loop over plain arrays: allocates nothing, cannot fail. Each kernel exists once a vector
// instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

// Copies the elements whose bit is set to `packed`, in order, and returns how many. width: 1, 2, 4,
// 8 or 16 bytes. Requires: `packed` has room for exactly the set bits or more; nothing beyond them
// is written, so that neighbours may write side by side. `values` needs no alignment.
std::size_t compress(std::uint32_t width, const std::byte* values, const std::uint64_t* bits,
                     std::size_t rows, std::byte* packed);

}  // namespace hdbench
