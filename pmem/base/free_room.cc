#include "pmem/base/free_room.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "engine/base/file_handle.h"
#include "pmem/base/cgroup_limits.h"

namespace hdbench {

std::optional<std::uint64_t> memory_figure(const std::string& key,
                                           const std::filesystem::path& procfs) {
  std::ifstream meminfo(procfs / "meminfo");
  std::string word;
  std::uint64_t kibibytes = 0;
  std::string rest_of_line;
  while (meminfo >> word >> kibibytes) {
    if (word == key + ":") return kibibytes * 1024;
    std::getline(meminfo, rest_of_line);
  }
  return std::nullopt;
}

Status require_room_on_disk(const std::filesystem::path& directory, std::size_t bytes) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored)) {
    return data_error(fmt::format("{}: not a directory", directory.string()));
  }
  struct statvfs figures = {};
  if (::statvfs(directory.c_str(), &figures) != 0) {
    return file_error(directory, "cannot ask for free space", errno);
  }
  const std::uint64_t free_bytes = std::uint64_t{figures.f_bavail} * figures.f_frsize;
  if (bytes > free_bytes) {
    return data_error(
        fmt::format("{}: {} bytes wanted, {} free", directory.string(), bytes, free_bytes));
  }
  return ok_status();
}

std::optional<std::uint64_t> available_memory(const MachinePaths& paths) {
  const auto machine = memory_figure("MemAvailable", paths.procfs);
  const auto group = read_cgroup_limits(paths).available_bytes;
  if (!machine || !group) return machine ? machine : group;
  return std::min(*machine, *group);
}

Status require_memory(const std::string& what, std::size_t bytes, const MachinePaths& paths) {
  const auto available = available_memory(paths);
  if (available && bytes > *available) {
    return data_error(
        fmt::format("{}: {} bytes of memory wanted, {} available", what, bytes, *available));
  }
  return ok_status();
}

}  // namespace hdbench
