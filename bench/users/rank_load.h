// A load that the ranks of an MPI job share: each answers users of its own, by a pool of its own,
// from a whole copy of the tables.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/base/layers.h"
#include "bench/users/load.h"
#include "engine/base/byte_stream.h"

namespace hdbench::bench {

// A rank's part: as equal a number of users as can be, and the arrivals' rate over the ranks (the
// sum of Poisson processes is one). Requires: no fewer users than ranks.
LoadPlan part_of(const LoadPlan& whole, std::size_t rank, std::size_t ranks);

// The round of all ranks together. They begin it at the same time; one that ends earlier counts at
// its rate until the last has ended. Blocks are those that all have. Requires: one at least.
LoadRound joined_round(std::vector<LoadRound> by_rank);

// As ranks hand them to each other.
void put_load(ByteSink& out, const LoadPlan& load);
LoadPlan take_load(ByteSource& in);
void put_round(ByteSink& out, const LoadRound& round);
LoadRound take_round(ByteSource& in);

}  // namespace hdbench::bench
