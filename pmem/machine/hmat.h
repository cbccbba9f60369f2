// The firmware's figures for a node's speed (ACPI HMAT), as sysfs shows them: access classes and
// memory-side caches. They are not measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hdbench::pmem {

// Memory Mode and its like: a cache of memory in front of a node's memory.
struct MemorySideCache {
  std::uint64_t bytes = 0;
  std::uint64_t line_bytes = 0;
  int level = 0;
  std::string indexing = {};      // "direct", "indexed" (complex), "other"; empty: not told
  std::string write_policy = {};  // "write-back", "write-through", "other"; empty: not told
};

// From the initiators of one class: 0 the nearest of any kind, 1 the nearest with CPUs.
struct MemoryAccess {
  int access_class = 0;
  std::vector<int> initiators;  // nodes
  std::optional<std::uint64_t> read_bandwidth_mb_s, write_bandwidth_mb_s;
  std::optional<std::uint64_t> read_latency_ns, write_latency_ns;
};

// Reads a node from its sysfs directory, devices/system/node/nodeN.
std::vector<MemorySideCache> read_memory_side_caches(const std::filesystem::path& node);
std::vector<MemoryAccess> read_memory_access(const std::filesystem::path& node);

}  // namespace hdbench::pmem
