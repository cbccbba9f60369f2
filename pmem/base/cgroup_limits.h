// The limits of this process's control group, in containers mostly less than the machine's.
//
// /proc/meminfo and the affinity mask do not reflect memory.max and cpu.max (the mask reflects
// cpuset). Version 1, version 2 and mixed hierarchies are read; a limit of any ancestor counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "pmem/base/machine_paths.h"

namespace hdbench {

// Nothing where there is no limit, or none is told.
struct CgroupLimits {
  std::optional<std::uint64_t> memory_bytes;     // the least of all groups
  std::optional<std::uint64_t> available_bytes;  // left before some group is at its limit
  std::optional<double> cpus;                    // 1.5: of each period of time one and a half CPUs'
  std::string cpuset;                            // "0-3"; empty: not told

  // The number of threads that may run all the time, of so many usable CPUs: at least 1.
  std::size_t threads(std::size_t usable_cpus) const;
};

CgroupLimits read_cgroup_limits(const MachinePaths& paths = {});

}  // namespace hdbench
