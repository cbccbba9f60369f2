// A comparison of filesystems in the form of one run of storage primitives, so that results.json,
// `report` and `compare` handle it: each result's name ends in the filesystem's.
#pragma once

#include <string>
#include <vector>

#include "bench/storage/filesystems/filesystem_comparison.h"

namespace hdbench {

// "io/set/.../processes:1/filesystem:xfs".
IoRun joined(const FilesystemComparison& comparison);

// The other way: results whose names have a filesystem, by filesystem, their names without it.
// Empty for any other run.
std::vector<FilesystemFigures> filesystems_of(const IoRun& run);

// Without those.
std::vector<IoResult> plain_results(const IoRun& run);

}  // namespace hdbench
