#include "pmem/base/cgroup_limits.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
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

struct MemoryFiles {
  const char* limit;
  const char* used;
  // In memory.stat.
  std::array<std::string_view, 2> cached;
  std::array<std::string_view, 2> unwritten;
};
constexpr MemoryFiles kVersion1{"memory.limit_in_bytes",
                                "memory.usage_in_bytes",
                                {"total_inactive_file", "total_active_file"},
                                {"total_dirty", "total_writeback"}};
constexpr MemoryFiles kVersion2{"memory.max",
                                "memory.current",
                                {"inactive_file", "active_file"},
                                {"file_dirty", "file_writeback"}};

// The page cache counts as used, and is given back before the limit is met, mapped pages of a
// database included; what is not written yet is not.
std::uint64_t reclaimable_bytes(const fs::path& group, const MemoryFiles& files) {
  std::ifstream stat(group / "memory.stat");
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t cached = 0;
  std::uint64_t unwritten = 0;
  while (stat >> name >> bytes) {
    if (name == files.cached[0] || name == files.cached[1]) cached += bytes;
    if (name == files.unwritten[0] || name == files.unwritten[1]) unwritten += bytes;
  }
  return cached - std::min(cached, unwritten);
}

void read_memory(const std::vector<fs::path>& groups, const MemoryFiles& files,
                 CgroupLimits& limits) {
  for (const fs::path& group : groups) {
    const auto limit = read_figure(group / files.limit);
    if (!limit || *limit >= kUnlimited) continue;
    take_less(limits.memory_bytes, limit);
    const auto used = read_figure(group / files.used);
    if (!used) continue;
    const std::uint64_t held = *used - std::min(*used, reclaimable_bytes(group, files));
    take_less(limits.available_bytes, std::optional(*limit - std::min(*limit, held)));
  }
}

std::optional<double> share(std::optional<int> quota, std::optional<int> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / *period;
}

// CPUs of a group's quota; nothing: it has none.
std::optional<double> quota_of(const fs::path& group) {
  const auto version_1 =
      share(read_int(group / "cpu.cfs_quota_us"), read_int(group / "cpu.cfs_period_us"));
  if (version_1) return version_1;
  // "150000 100000", or "max 100000".
  std::istringstream words(first_line(group / "cpu.max"));
  int quota = 0;
  int period = 0;
  return words >> quota >> period ? share(quota, period) : std::nullopt;
}

void read_cpuset(const std::vector<fs::path>& groups, CgroupLimits& limits) {
  for (const char* file : {"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"}) {
    if (limits.cpuset.empty()) limits.cpuset = first_line(groups.front() / file);
  }
  for (const char* file : {"cpuset.mems.effective", "cpuset.effective_mems", "cpuset.mems"}) {
    if (limits.cpuset_mems.empty()) limits.cpuset_mems = first_line(groups.front() / file);
  }
}

// A controller of this process: its name, and the group's directory with those above it. Version 2
// has no name: its groups have all controllers.
using GroupVisit =
    std::function<void(const std::string& controller, const std::vector<fs::path>& groups)>;

void visit_version_1(const fs::path& root, const std::string& controllers, const std::string& group,
                     const GroupVisit& visit) {
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');) {
    // "cpu,cpuacct" is mounted under that name, and mostly linked from both.
    std::error_code ignored;
    const fs::path mounted =
        fs::is_directory(root / name, ignored) ? root / name : root / controllers;
    visit(name, groups_of(mounted, group));
  }
}

void visit_groups(const MachinePaths& paths, const GroupVisit& visit) {
  const fs::path root = paths.sysfs / "fs/cgroup";
  std::ifstream file(paths.procfs / "self/cgroup");
  // "4:memory:/group" of version 1, "0::/group" of version 2.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    std::error_code ignored;
    if (!controllers.empty()) {
      visit_version_1(root, controllers, group, visit);
    } else if (fs::is_directory(root / "unified", ignored)) {
      visit("", groups_of(root / "unified", group));
    } else {
      visit("", groups_of(root, group));
    }
  }
}

}  // namespace

std::size_t CgroupLimits::threads(std::size_t usable_cpus) const {
  if (!cpus) return std::max<std::size_t>(1, usable_cpus);
  const auto whole = static_cast<std::size_t>(std::min(*cpus, 1e6));
  return std::max<std::size_t>(1, std::min(usable_cpus, whole));
}

CgroupLimits read_cgroup_limits(const MachinePaths& paths) {
  CgroupLimits limits;
  visit_groups(paths, [&](const std::string& controller, const std::vector<fs::path>& groups) {
    const bool is_2 = controller.empty();
    if (is_2 || controller == "memory") read_memory(groups, is_2 ? kVersion2 : kVersion1, limits);
    if (is_2 || controller == "cpuset") read_cpuset(groups, limits);
    if (!is_2 && controller != "cpu") return;
    for (const fs::path& group : groups) take_less(limits.cpus, quota_of(group));
  });
  return limits;
}

CpuThrottling CpuThrottling::since(const CpuThrottling& earlier) const {
  return {periods - std::min(periods, earlier.periods),
          throttled_periods - std::min(throttled_periods, earlier.throttled_periods)};
}

void CpuThrottling::add(const CpuThrottling& more) {
  periods += more.periods;
  throttled_periods += more.throttled_periods;
}

QuotaGroups::QuotaGroups(const MachinePaths& paths) {
  visit_groups(paths, [&](const std::string& controller, const std::vector<fs::path>& groups) {
    if (!controller.empty() && controller != "cpu") return;
    for (const fs::path& group : groups) {
      if (quota_of(group)) stat_files_.push_back(group / "cpu.stat");
    }
  });
}

CpuThrottling QuotaGroups::read() const {
  CpuThrottling sum;
  for (const fs::path& file : stat_files_) {
    std::ifstream stat(file);
    std::string name;
    std::uint64_t count = 0;
    while (stat >> name >> count) {
      if (name == "nr_periods") sum.periods += count;
      if (name == "nr_throttled") sum.throttled_periods += count;
    }
  }
  return sum;
}

}  // namespace hdbench::pmem
