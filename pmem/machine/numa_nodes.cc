#include "pmem/machine/numa_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "pmem/base/cgroup_limits.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {

WeightedInterleave read_weighted_interleave(const std::filesystem::path& sysfs) {
  const auto directory = sysfs / "kernel/mm/mempolicy/weighted_interleave";
  WeightedInterleave found;
  std::error_code failed;
  found.known = std::filesystem::is_directory(directory, failed);
  for (const auto& [node, file] : numbered(directory, "node")) {
    if (const auto weight = read_int(file)) found.weights[node] = *weight;
  }
  const std::string automatic = first_line(directory / "auto");
  if (!automatic.empty()) found.automatic = automatic == "true" || automatic == "1";
  return found;
}

namespace {

// The kernel writes its enumerations as figures.
std::string word_of(const std::optional<int>& figure, std::string_view zero, std::string_view one) {
  if (!figure) return {};
  return std::string(*figure == 0 ? zero : *figure == 1 ? one : std::string_view("other"));
}

// Zero means "not known".
std::optional<std::uint64_t> known_figure(const std::filesystem::path& file) {
  const auto figure = read_figure(file);
  return figure && *figure > 0 ? figure : std::nullopt;
}

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
  if (figures.empty()) node.unusable = "its meminfo cannot be read";
  node.memory_bytes = figure(figures, "MemTotal:");
  node.free_bytes = figure(figures, "MemFree:");
  node.available_bytes = available_bytes(figures);
  node.memory_side_caches = read_memory_side_caches(directory);
  node.distances = read_distances(directory / "distance");
  node.access = read_memory_access(directory);
  if (node.unusable.empty() && node.memory_bytes == 0) node.unusable = kWithoutMemory;
  return node;
}

// "Mems_allowed_list:	0-1"; empty: not known.
std::string allowed_list(const std::filesystem::path& procfs) {
  constexpr std::string_view kField = "Mems_allowed_list:";
  std::ifstream status(procfs / "self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(kField)) continue;
    const std::size_t start = line.find_first_not_of(" \t", kField.size());
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

void mark_offline(const std::string& online, std::vector<NumaNode>& nodes) {
  if (online.empty()) return;
  const std::vector<int> numbers = parse_list(online);
  for (NumaNode& node : nodes) {
    node.online = std::find(numbers.begin(), numbers.end(), node.number) != numbers.end();
    if (!node.online) node.unusable = "offline";
  }
}

// Of the nodes that could be used, those that are not in the list are not.
void mark_forbidden(const char* what, const std::string& list, std::vector<NumaNode>& nodes) {
  if (list.empty()) return;
  const std::vector<int> allowed = parse_list(list);
  for (NumaNode& node : nodes) {
    if (!node.unusable.empty() ||
        std::find(allowed.begin(), allowed.end(), node.number) != allowed.end()) {
      continue;
    }
    node.unusable = fmt::format("not allowed to this process ({} {})", what, list);
  }
}

}  // namespace

std::vector<MemorySideCache> read_memory_side_caches(const std::filesystem::path& node) {
  std::vector<MemorySideCache> caches;
  for (const auto& [level, directory] : numbered(node / "memory_side_cache", "index")) {
    MemorySideCache cache;
    cache.bytes = read_figure(directory / "size").value_or(0);
    cache.line_bytes = read_figure(directory / "line_size").value_or(0);
    cache.level = level;
    cache.indexing = word_of(read_int(directory / "indexing"), "direct", "indexed");
    cache.write_policy =
        word_of(read_int(directory / "write_policy"), "write-back", "write-through");
    caches.push_back(std::move(cache));
  }
  return caches;
}

std::vector<MemoryAccess> read_memory_access(const std::filesystem::path& node) {
  std::vector<MemoryAccess> found;
  for (const auto& [access_class, directory] : numbered(node, "access")) {
    const auto initiators = directory / "initiators";
    MemoryAccess access;
    access.access_class = access_class;
    for (const auto& [number, link] : numbered(initiators, "node")) {
      access.initiators.push_back(number);
    }
    access.read_bandwidth_mb_s = known_figure(initiators / "read_bandwidth");
    access.write_bandwidth_mb_s = known_figure(initiators / "write_bandwidth");
    access.read_latency_ns = known_figure(initiators / "read_latency");
    access.write_latency_ns = known_figure(initiators / "write_latency");
    found.push_back(std::move(access));
  }
  return found;
}

const char* word(MemoryOrigin origin) {
  switch (origin) {
    case MemoryOrigin::kPmem: return "persistent memory";
    case MemoryOrigin::kCxl: return "cxl";
    case MemoryOrigin::kReserved: return "set apart by the firmware";
    case MemoryOrigin::kGpu: return "a GPU's memory";
    case MemoryOrigin::kUnknown: break;
  }
  return "unknown";
}

std::vector<NumaNode> read_numa_nodes(const MachinePaths& paths) {
  std::vector<NumaNode> nodes;
  const auto shown = paths.sysfs / "devices/system/node";
  for (const auto& [number, directory] : numbered(shown, "node")) {
    nodes.push_back(read_node(number, directory));
  }
  mark_offline(first_line(shown / "online"), nodes);
  mark_forbidden("Mems_allowed_list:", allowed_list(paths.procfs), nodes);
  mark_forbidden("cpuset.mems:", read_cgroup_limits(paths).cpuset_mems, nodes);
  const auto tiers = paths.sysfs / "devices/virtual/memory_tiering";
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

std::optional<int> dram_tier(const std::vector<NumaNode>& nodes) {
  constexpr int kKernelsDramTier = 4;
  std::optional<int> slowest;
  bool tiers_are_shown = false;
  for (const NumaNode& node : nodes) {
    tiers_are_shown |= node.memory_tier.has_value();
    if (node.has_cpus && node.memory_tier) {
      slowest = std::max(slowest.value_or(*node.memory_tier), *node.memory_tier);
    }
  }
  if (!slowest && tiers_are_shown) return kKernelsDramTier;
  return slowest;
}

bool is_ordinary(const NumaNode& node, const std::vector<NumaNode>& nodes) {
  if (node.has_cpus) return true;
  return node.origin == MemoryOrigin::kUnknown && node.memory_tier &&
         node.memory_tier == dram_tier(nodes);
}

bool is_high_bandwidth(const NumaNode& node, const std::vector<NumaNode>& nodes) {
  const auto own = told_read_bandwidth(node);
  if (node.has_cpus || !own) return false;
  return std::any_of(nodes.begin(), nodes.end(), [&](const NumaNode& other) {
    const auto theirs = told_read_bandwidth(other);
    return other.has_cpus && theirs && *theirs < *own;
  });
}

}  // namespace hdbench::pmem
