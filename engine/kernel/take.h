// Take: packs the elements at given positions. For selections so sparse that vectors of neighbours
// would be mostly empty, and for several columns that are read at the same positions.
//
// One loop over plain arrays: allocates nothing, cannot fail. Compiled for each vector instruction
// set (Highway), for its bit instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

// Room that take_positions() needs behind the positions that it returns.
constexpr std::size_t kPositionsSlack = 8;

// The positions of the set bits, rising; returns how many. `positions` has space for them and for
// kPositionsSlack more, which then hold anything. Requires: rows <= 65,536.
std::size_t take_positions(const std::uint64_t* bits, std::size_t rows, std::uint16_t* positions);

// packed[i] = the element of `width` bytes (1, 2, 4, 8 or 16) at positions[i].
void take(std::uint32_t width, const std::byte* values, const std::uint16_t* positions,
          std::size_t count, std::byte* packed);

}  // namespace hdbench
