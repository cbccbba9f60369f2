// Compares results of `hdbench io`.
#pragma once

#include <span>

#include "bench/results/comparison.h"
#include "bench/storage/io_json.h"

namespace hdbench::bench {

// Result by result, as `hdbench compare` holds cells against each other: in ms, by their names.
// Requires: a file a side.
Comparison compare_io(std::span<const SavedIo> a, std::span<const SavedIo> b,
                      double threshold_percent);

}  // namespace hdbench::bench
