#include "pmem/machine/numa_nodes.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "pmem/base/sysfs_text.h"

namespace hdbench {
namespace {

using Figures = std::map<std::string, std::uint64_t>;

// "Node 0 MemTotal:       24684092 kB", in bytes.
Figures read_meminfo(const std::filesystem::path& node) {
  Figures figures;
  std::ifstream meminfo(node / "meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    std::istringstream words(line);
    std::string node_word, number, key;
    std::uint64_t kibibytes = 0;
    if (words >> node_word >> number >> key >> kibibytes) figures[key] = kibibytes * 1024;
  }
  return figures;
}

std::uint64_t figure(const Figures& figures, const char* key) {
  const auto found = figures.find(key);
  return found == figures.end() ? 0 : found->second;
}

std::uint64_t available_bytes(const Figures& figures) {
  return figure(figures, "MemFree:") + figure(figures, "Active(file):") +
         figure(figures, "Inactive(file):") + figure(figures, "SReclaimable:");
}

std::vector<int> read_distances(const std::filesystem::path& file) {
  std::vector<int> distances;
  std::istringstream words(first_line(file));
  for (int distance = 0; words >> distance;) distances.push_back(distance);
  return distances;
}

NumaNode read_node(int number, const std::filesystem::path& directory) {
  NumaNode node;
  node.number = number;
  node.cpu_list = first_line(directory / "cpulist");
  node.has_cpus = !node.cpu_list.empty();
  const Figures figures = read_meminfo(directory);
  node.memory_bytes = figure(figures, "MemTotal:");
  node.free_bytes = figure(figures, "MemFree:");
  node.available_bytes = available_bytes(figures);
  node.memory_side_caches = read_memory_side_caches(directory);
  node.distances = read_distances(directory / "distance");
  node.access = read_memory_access(directory);
  return node;
}

}  // namespace

const char* word(MemoryOrigin origin) {
  switch (origin) {
    case MemoryOrigin::kPmem: return "persistent memory";
    case MemoryOrigin::kCxl: return "cxl";
    case MemoryOrigin::kReserved: return "set apart by the firmware";
    case MemoryOrigin::kUnknown: break;
  }
  return "unknown";
}

std::vector<NumaNode> read_numa_nodes(const std::filesystem::path& sysfs) {
  std::vector<NumaNode> nodes;
  for (const auto& [number, directory] : numbered(sysfs / "devices/system/node", "node")) {
    nodes.push_back(read_node(number, directory));
  }
  const auto tiers = sysfs / "devices/virtual/memory_tiering";
  for (const auto& [tier, directory] : numbered(tiers, "memory_tier")) {
    const std::vector<int> members = parse_list(first_line(directory / "nodelist"));
    for (NumaNode& node : nodes) {
      if (std::find(members.begin(), members.end(), node.number) != members.end()) {
        node.memory_tier = tier;
      }
    }
  }
  return nodes;
}

std::optional<std::uint64_t> available_on_node(const std::filesystem::path& sysfs, int node) {
  const Figures figures =
      read_meminfo(sysfs / "devices/system/node" / ("node" + std::to_string(node)));
  if (figures.empty()) return std::nullopt;
  return available_bytes(figures);
}

std::optional<std::uint64_t> told_read_bandwidth(const NumaNode& node) {
  std::optional<std::uint64_t> best;
  for (const MemoryAccess& access : node.access) {
    if (access.read_bandwidth_mb_s) {
      best = std::max(best.value_or(0), *access.read_bandwidth_mb_s);
    }
  }
  return best;
}

bool is_high_bandwidth(const NumaNode& node, const std::vector<NumaNode>& nodes) {
  const auto own = told_read_bandwidth(node);
  if (node.has_cpus || !own) return false;
  return std::any_of(nodes.begin(), nodes.end(), [&](const NumaNode& other) {
    const auto theirs = told_read_bandwidth(other);
    return other.has_cpus && theirs && *theirs < *own;
  });
}

}  // namespace hdbench
