// This process's mappings, as the kernel describes them (/proc/self/smaps).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hdbench::pmem {

// At most how many bytes of an area this line of its description vouches for; nothing: the line is
// not about that.
using AreaRule = std::function<std::optional<std::uint64_t>(const std::string& line)>;

// How many bytes of the spans the rule vouches for; nothing where smaps cannot be read.
std::optional<std::uint64_t> bytes_by_areas(const std::vector<std::span<const std::byte>>& spans,
                                            const AreaRule& rule,
                                            const std::filesystem::path& procfs = "/proc");

// How many bytes of the spans are mapped with MAP_SYNC, which the kernel grants for DAX alone:
// stores go to the medium itself, no page cache is between. Nothing where that is not told.
std::optional<std::uint64_t> synchronous_bytes(const std::vector<std::span<const std::byte>>& spans,
                                               const std::filesystem::path& procfs = "/proc");

}  // namespace hdbench::pmem
