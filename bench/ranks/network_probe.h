// What the network between rank 0 and the others gives: how long it takes to ask for so many bytes
// and to have them, how far the ranks' clocks are apart, and what all send at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/base/layers.h"
#include "bench/ranks/rank_job.h"

namespace hdbench::bench {

// From asking for so many bytes until the last has arrived; the median.
struct LinkPoint {
  std::uint64_t bytes = 0;
  double ms = 0;
};

// Between rank 0 and another rank. Rank 0's own has no points.
struct LinkFigures {
  // The rank's clock less rank 0's, at the shortest of the round trips, whose half it may be wrong
  // by.
  double clock_offset_ms = 0;
  double clock_error_ms = 0;
  std::vector<LinkPoint> points;  // fewest bytes first
  // Of the largest message: its bytes over what it takes more than the smallest.
  double gb_s = 0;
};

struct NetworkFigures {
  std::vector<LinkFigures> by_rank;
  double all_gb_s = 0;  // into rank 0, when all others send at once
};

// Requires: all others serve_network() at that time. Takes about a second a rank.
NetworkFigures measure_network(RankJob& job);
void serve_network(RankJob& job);

// This process's monotonic clock, in ms.
double clock_ms();

}  // namespace hdbench::bench
