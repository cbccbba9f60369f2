// The effect of more threads: each cell's speed-up over the one on the fewest threads, and the
// count at which memory is saturated.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/machine/memory_ceilings.h"
#include "bench/model/cell_result.h"

namespace hdbench {

// The thread counts of these cells, fewest first, each once.
std::vector<std::size_t> thread_counts(const std::vector<CellResult>& cells);

struct Scaling {
  double speedup = 0;  // how many times as fast as the cell on fewer threads
  // The speed-up for each time as many threads: 100 is as good as it gets.
  double efficiency_percent = 0;
};

// Requires: all > 0.
Scaling scaling_of(double few_ms, std::size_t few_threads, double ms, std::size_t threads);

// The scaling between two cells of one query; nothing if either has no time.
std::optional<Scaling> scaling_of(const CellResult& few, const CellResult& cell);

struct Saturation {
  std::size_t threads = 1;  // the fewest that read as fast as any, but for 5 %
  double gb_s = 0;          // what they read
  // No more threads than these were measured: memory may have more to give.
  bool is_widest = false;
};

// Nothing where memory was not measured.
std::optional<Saturation> saturation_of(const MemoryCeilings& memory);

}  // namespace hdbench
