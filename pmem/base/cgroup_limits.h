// The limits of this process's control group, in containers mostly less than the machine's.
//
// /proc/meminfo and the affinity mask do not reflect memory.max and cpu.max (the mask reflects
// cpuset). Version 1, version 2 and mixed hierarchies are read; a limit of any ancestor counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"

namespace hdbench::pmem {

// Nothing where there is no limit, or none is reported.
struct CgroupLimits {
  std::optional<std::uint64_t> memory_bytes;     // the least of all groups
  std::optional<std::uint64_t> available_bytes;  // left before some group is at its limit
  std::optional<double> cpus;                    // 1.5: of each period of time one and a half CPUs'
  std::string cpuset;                            // "0-3"; empty: not known
  std::string cpuset_mems;                       // memory nodes, "0-1"; empty: not known

  // The number of threads that may run all the time, of so many usable CPUs: at least 1.
  std::size_t threads(std::size_t usable_cpus) const;
};

CgroupLimits read_cgroup_limits(const MachinePaths& paths = {});

// What CPU quotas have done, counted by the kernel since the groups began (cpu.stat).
struct CpuThrottling {
  std::uint64_t periods = 0;            // in which a group with a quota had work
  std::uint64_t throttled_periods = 0;  // in which it used up its quota and was stopped

  CpuThrottling since(const CpuThrottling& earlier) const;
  void add(const CpuThrottling& more);
};

// The groups of this process that have a CPU quota, as they were when this was made.
class QuotaGroups {
 public:
  explicit QuotaGroups(const MachinePaths& paths = {});

  bool empty() const { return stat_files_.empty(); }
  // The sum over these groups; a count that is not known is 0.
  CpuThrottling read() const;

 private:
  std::vector<std::filesystem::path> stat_files_;
};

}  // namespace hdbench::pmem
