#include "pmem/memory/memory_areas.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

namespace hdbench::pmem {
namespace {

struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

std::uint64_t overlap_bytes(const std::vector<Range>& ranges, Range area) {
  std::uint64_t total = 0;
  auto range = std::partition_point(ranges.begin(), ranges.end(),
                                    [&](const Range& r) { return r.high <= area.low; });
  for (; range != ranges.end() && range->low < area.high; ++range) {
    total += std::min(range->high, area.high) - std::max(range->low, area.low);
  }
  return total;
}

}  // namespace

std::optional<std::uint64_t> bytes_by_areas(const std::vector<std::span<const std::byte>>& spans,
                                            const AreaRule& rule,
                                            const std::filesystem::path& procfs) {
  std::ifstream smaps(procfs / "self/smaps");
  if (!smaps) return std::nullopt;
  std::vector<Range> ranges;
  for (const auto span : spans) {
    const auto low = reinterpret_cast<std::uint64_t>(span.data());
    if (!span.empty()) ranges.push_back({low, low + span.size()});
  }
  std::sort(ranges.begin(), ranges.end(), [](Range a, Range b) { return a.low < b.low; });

  std::uint64_t total = 0;
  Range area;
  for (std::string line; std::getline(smaps, line);) {
    unsigned long long low = 0;
    unsigned long long high = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx ", &low, &high) == 2) {
      area = {low, high};
    } else if (const auto bytes = rule(line)) {
      total += std::min(*bytes, overlap_bytes(ranges, area));
    }
  }
  return total;
}

std::optional<std::uint64_t> synchronous_bytes(const std::vector<std::span<const std::byte>>& spans,
                                               const std::filesystem::path& procfs) {
  bool told = false;
  const auto bytes = bytes_by_areas(
      spans,
      [&told](const std::string& line) -> std::optional<std::uint64_t> {
        if (!line.starts_with("VmFlags:")) return std::nullopt;
        told = true;
        const bool is_synchronous = (line + " ").find(" sf ") != std::string::npos;
        return is_synchronous ? std::numeric_limits<std::uint64_t>::max() : 0;
      },
      procfs);
  return told ? bytes : std::nullopt;
}

}  // namespace hdbench::pmem
