// Finds the processes that have files mapped, whose pages therefore cannot be evicted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"

namespace hdbench::pmem {

// "q (process 4711)", one for each other process that maps one of the files, as far as this user
// may see; at most four, and then "and N more".
std::vector<std::string> processes_that_map(const std::vector<std::filesystem::path>& files,
                                            const MachinePaths& paths);

// The same by the names that /proc/PID/maps shows: whole, links resolved. Opens none of them. self:
// the process that does not count.
std::vector<std::string> processes_that_map_names(const std::vector<std::string>& names, int self,
                                                  const MachinePaths& paths = {});

}  // namespace hdbench::pmem
