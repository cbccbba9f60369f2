// Compares two results of `hdbench io`.
#pragma once

#include "bench/results/comparison.h"
#include "bench/storage/io_json.h"

namespace hdbench {

// Result by result, as `hdbench compare` holds cells against each other: in ms, by their names.
Comparison compare_io(const SavedIo& a, const SavedIo& b, double threshold_percent);

}  // namespace hdbench
