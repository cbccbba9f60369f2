// The random order of a round's cells, so that no cell always follows the same one. The same seed
// gives the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/model/cell_result.h"

namespace hdbench::bench {

// Indexes of cells. Cold cells come first, in random order among themselves, then warm ones: going
// from one state to the other reads or drops everything that the medium holds.
std::vector<std::size_t> order_of_round(const std::vector<CellResult>& cells, std::uint64_t seed,
                                        std::size_t round);

}  // namespace hdbench::bench
