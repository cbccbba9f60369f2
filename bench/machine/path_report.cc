#include "bench/machine/path_report.h"

#include <system_error>
#include <utility>

namespace hdbench {
namespace {

PathReport report(std::filesystem::path path, std::string why, const Machine& machine,
                  const std::filesystem::path& sysfs) {
  PathReport found;
  found.path = std::move(path);
  found.why = std::move(why);
  found.mount = mount_of(machine.mounts, found.path);
  if (found.mount) found.device = read_block_device(sysfs, found.mount->block_device);
  return found;
}

}  // namespace

std::vector<PathReport> report_paths(const std::vector<std::filesystem::path>& paths,
                                     const Machine& machine, const std::filesystem::path& sysfs) {
  std::vector<PathReport> reports;
  for (const auto& path : paths) reports.push_back(report(path, {}, machine, sysfs));
  if (!reports.empty()) return reports;
  std::error_code failed;
  const auto current = std::filesystem::current_path(failed);
  if (!failed) reports.push_back(report(current, "current directory", machine, sysfs));
  const auto temporary = std::filesystem::temp_directory_path(failed);
  if (!failed) reports.push_back(report(temporary, "temporary directory", machine, sysfs));
  return reports;
}

}  // namespace hdbench
