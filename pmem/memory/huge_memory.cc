#include "pmem/memory/huge_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "pmem/base/free_room.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/memory/memory_areas.h"
#include "pmem/memory/numa_binding.h"

namespace hdbench::pmem {

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

}  // namespace hdbench::pmem
