#include "pmem/base/cgroup_limits.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "pmem/base/sysfs_text.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

// Version 1 writes "no limit" as the largest number of whole pages.
constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 62;

template <typename T>
void take_less(std::optional<T>& least, const std::optional<T>& figure) {
  if (figure && (!least || *figure < *least)) least = figure;
}

// The group's directory and those above it, up to where the hierarchy is mounted. A container may
// name its group as the machine does and yet see it mounted as the root.
std::vector<fs::path> groups_of(const fs::path& mounted, const std::string& group) {
  std::vector<fs::path> groups;
  std::error_code ignored;
  for (fs::path relative = fs::path(group).relative_path(); !relative.empty();
       relative = relative.parent_path()) {
    if (fs::is_directory(mounted / relative, ignored)) groups.push_back(mounted / relative);
  }
  groups.push_back(mounted);
  return groups;
}

// Pages of files that nobody uses are given back before the limit is met.
std::uint64_t reclaimable_bytes(const fs::path& group, std::string_view key) {
  std::ifstream stat(group / "memory.stat");
  std::string name;
  std::uint64_t bytes = 0;
  while (stat >> name >> bytes) {
    if (name == key) return bytes;
  }
  return 0;
}

struct MemoryFiles {
  const char* limit;
  const char* used;
  const char* reclaimable;  // in memory.stat
};
constexpr MemoryFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file"};
constexpr MemoryFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

void read_memory(const std::vector<fs::path>& groups, const MemoryFiles& files,
                 CgroupLimits& limits) {
  for (const fs::path& group : groups) {
    const auto limit = read_figure(group / files.limit);
    if (!limit || *limit >= kUnlimited) continue;
    take_less(limits.memory_bytes, limit);
    const auto used = read_figure(group / files.used);
    if (!used) continue;
    const std::uint64_t held = *used - std::min(*used, reclaimable_bytes(group, files.reclaimable));
    take_less(limits.available_bytes, std::optional(*limit - std::min(*limit, held)));
  }
}

std::optional<double> share(std::optional<int> quota, std::optional<int> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / *period;
}

void read_cpu_1(const std::vector<fs::path>& groups, CgroupLimits& limits) {
  for (const fs::path& group : groups) {
    take_less(limits.cpus,
              share(read_int(group / "cpu.cfs_quota_us"), read_int(group / "cpu.cfs_period_us")));
  }
}

// "150000 100000", or "max 100000".
void read_cpu_2(const std::vector<fs::path>& groups, CgroupLimits& limits) {
  for (const fs::path& group : groups) {
    std::istringstream words(first_line(group / "cpu.max"));
    int quota = 0;
    int period = 0;
    if (words >> quota >> period) take_less(limits.cpus, share(quota, period));
  }
}

void read_cpuset(const std::vector<fs::path>& groups, CgroupLimits& limits) {
  for (const char* file : {"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"}) {
    if (limits.cpuset.empty()) limits.cpuset = first_line(groups.front() / file);
  }
}

void read_version_1(const fs::path& root, const std::string& controllers, const std::string& group,
                    CgroupLimits& limits) {
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');) {
    // "cpu,cpuacct" is mounted under that name, and mostly linked from both.
    std::error_code ignored;
    const fs::path mounted =
        fs::is_directory(root / name, ignored) ? root / name : root / controllers;
    const auto groups = groups_of(mounted, group);
    if (name == "memory") read_memory(groups, kVersion1, limits);
    if (name == "cpu") read_cpu_1(groups, limits);
    if (name == "cpuset") read_cpuset(groups, limits);
  }
}

void read_version_2(const fs::path& root, const std::string& group, CgroupLimits& limits) {
  std::error_code ignored;
  const bool beside = fs::is_directory(root / "unified", ignored);
  const auto groups = groups_of(beside ? root / "unified" : root, group);
  read_memory(groups, kVersion2, limits);
  read_cpu_2(groups, limits);
  read_cpuset(groups, limits);
}

}  // namespace

std::size_t CgroupLimits::threads(std::size_t usable_cpus) const {
  if (!cpus) return std::max<std::size_t>(1, usable_cpus);
  const auto whole = static_cast<std::size_t>(std::min(*cpus, 1e6));
  return std::max<std::size_t>(1, std::min(usable_cpus, whole));
}

CgroupLimits read_cgroup_limits(const MachinePaths& paths) {
  CgroupLimits limits;
  const fs::path root = paths.sysfs / "fs/cgroup";
  std::ifstream file(paths.procfs / "self/cgroup");
  // "4:memory:/group" of version 1, "0::/group" of version 2.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      read_version_2(root, group, limits);
    } else {
      read_version_1(root, controllers, group, limits);
    }
  }
  return limits;
}

}  // namespace hdbench
