#include "pmem/topology.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <system_error>

#include "pmem/free_room.h"

namespace hdbench {
namespace {

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::uint64_t first_number(const std::filesystem::path& file) {
  const std::string line = first_line(file);
  std::uint64_t number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

// The directories `prefix`N below a parent, by rising N.
std::vector<std::pair<int, std::filesystem::path>> numbered(const std::filesystem::path& parent,
                                                            std::string_view prefix) {
  std::vector<std::pair<int, std::filesystem::path>> found;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(parent, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    int number = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) found.emplace_back(number, entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// "Node 0 MemTotal:       24684092 kB"
std::uint64_t node_memory_bytes(const std::filesystem::path& node) {
  std::ifstream meminfo(node / "meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    std::istringstream words(line);
    std::string node_word, number, key;
    std::uint64_t kibibytes = 0;
    if (words >> node_word >> number >> key >> kibibytes && key == "MemTotal:") {
      return kibibytes * 1024;
    }
  }
  return 0;
}

NumaNode read_node(int number, const std::filesystem::path& directory) {
  NumaNode node;
  node.number = number;
  node.has_cpus = !first_line(directory / "cpulist").empty();
  node.memory_bytes = node_memory_bytes(directory);
  for (const auto& [index, cache] : numbered(directory / "memory_side_cache", "index")) {
    node.memory_side_caches.push_back(
        {first_number(cache / "size"), first_number(cache / "line_size")});
  }
  return node;
}

// "always [madvise] never" -> "madvise"
std::string chosen_word(const std::string& line) {
  const auto open = line.find('[');
  const auto close = line.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return line.substr(open + 1, close - open - 1);
}

}  // namespace

Machine read_machine(const MachinePaths& paths) {
  Machine machine;
  machine.mounts = read_mounts(paths);
  for (const auto& [number, directory] : numbered(paths.sysfs / "devices/system/node", "node")) {
    machine.nodes.push_back(read_node(number, directory));
  }
  machine.memory_bytes = memory_figure("MemTotal", paths.procfs);
  machine.transparent_huge_pages =
      chosen_word(first_line(paths.sysfs / "kernel/mm/transparent_hugepage/enabled"));
  // libndctl knows only the real tree: beside a tree of a test's own there is nothing to see.
  if (paths.sysfs == MachinePaths{}.sysfs) machine.pmem = read_pmem_hardware();
  return machine;
}

}  // namespace hdbench
