#include "pmem/memory/huge_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "pmem/base/free_room.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/memory/node_pages.h"

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

// At most how many bytes of an area this line of its description in smaps vouches for; nothing: the
// line is not about that.
using AreaRule = std::function<std::optional<std::uint64_t>(const std::string& line)>;

// How many bytes of the spans the rule vouches for; nothing where smaps cannot be read.
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

}  // namespace

Result<Region> map_huge_memory(std::size_t bytes) {
  return map_huge_memory_at(bytes, "dram", [](std::span<std::byte> memory) {
    spread_over(memory, own_nodes());
    return ok_status();
  });
}

Result<Region> map_huge_memory_at(std::size_t bytes, const std::string& medium,
                                  const MemoryPlacer& place) {
  if (bytes == 0) return Region{};
  const bool huge = bytes >= kHugePageBytes;
  const std::size_t mapped_bytes = round_up(bytes, huge ? kHugePageBytes : kRegionAlignment);
  HDB_ASSIGN(MemoryClaim claim, MemoryClaim::make(medium, mapped_bytes));
  void* address =
      map_aligned(mapped_bytes, huge ? kHugePageBytes : kRegionAlignment, PROT_READ | PROT_WRITE);
  if (address == MAP_FAILED) {
    return data_error(fmt::format("{}: cannot map {} bytes: {}", medium, mapped_bytes,
                                  std::generic_category().message(errno)));
  }
  struct Claimed : MappedMemory {
    Claimed(void* address, std::size_t bytes, MemoryClaim&& claim)
        : MappedMemory(address, bytes), of(std::move(claim)) {}
    MemoryClaim of;
  };
  auto owner = std::make_shared<Claimed>(address, mapped_bytes, std::move(claim));
  if (huge) ::madvise(address, mapped_bytes, MADV_HUGEPAGE);
  HDB_TRY(place(owner->bytes()));
  return Region{owner->bytes().first(bytes), owner};
}

std::optional<std::uint64_t> huge_page_bytes(const std::vector<std::span<const std::byte>>& spans,
                                             const std::filesystem::path& procfs) {
  return bytes_by_areas(
      spans,
      [](const std::string& line) -> std::optional<std::uint64_t> {
        unsigned long long kibibytes = 0;
        if (std::sscanf(line.c_str(), "AnonHugePages: %llu kB", &kibibytes) != 1) {
          return std::nullopt;
        }
        return kibibytes * 1024;
      },
      procfs);
}

std::optional<std::uint64_t> synchronous_bytes(const std::vector<std::span<const std::byte>>& spans,
                                               const std::filesystem::path& procfs) {
  bool is_shown = false;
  const auto bytes = bytes_by_areas(
      spans,
      [&is_shown](const std::string& line) -> std::optional<std::uint64_t> {
        if (!line.starts_with("VmFlags:")) return std::nullopt;
        is_shown = true;
        const bool is_synchronous = (line + " ").find(" sf ") != std::string::npos;
        return is_synchronous ? std::numeric_limits<std::uint64_t>::max() : 0;
      },
      procfs);
  return is_shown ? bytes : std::nullopt;
}

}  // namespace hdbench::pmem
