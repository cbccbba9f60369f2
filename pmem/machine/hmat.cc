#include "pmem/machine/hmat.h"

#include <algorithm>
#include <string_view>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

// The kernel writes its enumerations as figures.
std::string word_of(const std::optional<int>& figure, std::string_view zero, std::string_view one) {
  if (!figure) return {};
  return std::string(*figure == 0 ? zero : *figure == 1 ? one : std::string_view("other"));
}

// Zero stands for "not told".
std::optional<std::uint64_t> told(const std::filesystem::path& file) {
  const auto figure = read_figure(file);
  return figure && *figure > 0 ? figure : std::nullopt;
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
    access.read_bandwidth_mb_s = told(initiators / "read_bandwidth");
    access.write_bandwidth_mb_s = told(initiators / "write_bandwidth");
    access.read_latency_ns = told(initiators / "read_latency");
    access.write_latency_ns = told(initiators / "write_latency");
    found.push_back(std::move(access));
  }
  return found;
}

}  // namespace hdbench::pmem
