// The combined rate of a group of processes.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/base/process_group.h"

namespace hdbench {

// Seconds from the first process's start to the last one's end. Requires, here and below: `told` is
// not empty.
double wall_seconds(const std::vector<ProcessFigures>& told);

// All bytes over that time, in 10^6 a second: the slowest counts.
double mb_per_s(const std::vector<ProcessFigures>& told);

// Mean time of an operation, of all processes' operations.
double ms_per_operation(const std::vector<ProcessFigures>& told);

// The spread of the processes' own rates (bytes, or operations if there are none): (fastest -
// slowest) / median; 0 for one process.
double spread_of(const std::vector<ProcessFigures>& told);

}  // namespace hdbench
