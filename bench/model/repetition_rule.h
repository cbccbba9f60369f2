// Decides how often a cell runs: a minimum number of times, then until its median's interval is as
// narrow as requested or a maximum is reached.
#pragma once

#include <cstddef>

#include "bench/model/cell_result.h"

namespace hdbench::bench {

struct RepetitionRule {
  std::size_t least = 5;
  std::size_t most = 25;
  // Of relative_half_width() (bootstrap.h): 0.05 is +-5 %. 0: `least` is enough.
  double precision = 0.05;

  // The part of the first of so many loads: at least and at most that share, rounded up, and its
  // own repetitions within the precision. Others have as many as it. Requires: loads >= 1.
  RepetitionRule of_reload(std::size_t loads) const;

  // A cell with an error wants nothing more.
  bool wants_more(const CellResult& cell) const;
};

// None are left out, none are added; 0: the cell does not run.
RepetitionRule exactly(std::size_t count);

}  // namespace hdbench::bench
