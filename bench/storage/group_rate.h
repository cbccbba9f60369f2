// What a group of processes did together.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/base/process_group.h"

namespace hdbench {

// From the first one's start to the last one's end. Requires: told is not empty, here and below.
double wall_seconds(const std::vector<ProcessFigures>& told);

// All bytes over that time, in 10^6 a second: the slowest counts.
double mb_per_s(const std::vector<ProcessFigures>& told);

// Mean time of an operation, of all processes' operations.
double ms_per_operation(const std::vector<ProcessFigures>& told);

// Of the processes' own rates (bytes, or operations where there are none): (fastest - slowest) /
// median; 0 of one process.
double spread_of(const std::vector<ProcessFigures>& told);

}  // namespace hdbench
