// Anonymous memory with huge pages, spread over the nodes of the CPUs that this process uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pmem/base/region_source.h"

namespace hdbench::pmem {

// Zero-filled; from 2 MiB on aligned to 2 MiB and advised to use huge pages. Errors: kLimit when so
// much memory is not left, with both figures.
Result<Region> map_huge_memory(std::size_t bytes);

// As map_huge_memory(), for another medium, named in errors; `place` is called before the memory is
// touched. Errors: kLimit as above, and those of `place`.
using MemoryPlacer = std::function<Status(std::span<std::byte> memory)>;
Result<Region> map_huge_memory_at(std::size_t bytes, const std::string& medium,
                                  const MemoryPlacer& place);

// How many bytes of the spans the kernel holds in huge pages, by /proc/self/smaps; nothing where
// that cannot be read.
std::optional<std::uint64_t> huge_page_bytes(const std::vector<std::span<const std::byte>>& spans,
                                             const std::filesystem::path& procfs = "/proc");

// How many bytes of the spans are mapped with MAP_SYNC, which the kernel grants for DAX alone:
// stores go to the medium itself, no page cache is between. Nothing where that is not known.
std::optional<std::uint64_t> synchronous_bytes(const std::vector<std::span<const std::byte>>& spans,
                                               const std::filesystem::path& procfs = "/proc");

}  // namespace hdbench::pmem
