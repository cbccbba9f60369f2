// Finds the processes that have files mapped, whose pages therefore cannot be evicted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"

namespace hdbench {

// "q (process 4711)", one for each other process that maps one of the files, as far as this user
// may see; at most four, and then "and N more".
std::vector<std::string> processes_that_map(const std::vector<std::filesystem::path>& files,
                                            const MachinePaths& paths);

}  // namespace hdbench
