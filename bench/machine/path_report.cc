#include "bench/machine/path_report.h"

#include <system_error>

namespace hdbench::bench {

std::vector<PathReport> report_paths(const std::vector<std::filesystem::path>& paths,
                                     const Machine& machine, const std::filesystem::path& sysfs) {
  std::vector<PathReport> reports;
  const auto add = [&](const std::filesystem::path& path, const char* why) {
    if (path.empty()) return;
    PathReport& found = reports.emplace_back();
    found.path = path;
    found.why = why;
    found.mount = mount_of(machine.mounts, path);
    if (found.mount) found.device = read_block_device(sysfs, found.mount->block_device);
  };
  for (const auto& path : paths) add(path, "");
  if (!paths.empty()) return reports;
  std::error_code failed;  // then the path is empty
  add(std::filesystem::current_path(failed), "current directory");
  add(std::filesystem::temp_directory_path(failed), "temporary directory");
  return reports;
}

}  // namespace hdbench::bench
