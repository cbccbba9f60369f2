#include "pmem/memory/page_holders.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

constexpr std::size_t kNamedMax = 4;

bool is_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

// A line of maps ends with the file's path, from its sixth word on.
bool maps_one_of(const std::filesystem::path& maps, const std::set<std::string>& files) {
  std::ifstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && files.count(line.substr(path)) != 0) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> processes_that_map(const std::vector<std::filesystem::path>& files,
                                            const MachinePaths& paths) {
  std::vector<std::string> names;
  for (const auto& file : files) {
    std::error_code error;
    const auto whole = std::filesystem::canonical(file, error);
    if (!error) names.push_back(whole.string());
  }
  return processes_that_map_names(names, ::getpid(), paths);
}

std::vector<std::string> processes_that_map_names(const std::vector<std::string>& names, int self,
                                                  const MachinePaths& paths) {
  const std::set<std::string> wanted(names.begin(), names.end());
  std::vector<std::string> holders;
  std::size_t more = 0;
  const std::string own = std::to_string(self);
  std::error_code error;
  std::filesystem::directory_iterator entry(paths.procfs, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string process = entry->path().filename().string();
    if (!is_number(process) || process == own) continue;
    if (!maps_one_of(entry->path() / "maps", wanted)) continue;
    if (holders.size() == kNamedMax) {
      ++more;
      continue;
    }
    holders.push_back(fmt::format("{} (process {})", first_line(entry->path() / "comm"), process));
  }
  if (more > 0) holders.push_back(fmt::format("and {} more", more));
  return holders;
}

}  // namespace hdbench::pmem
