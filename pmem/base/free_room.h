// Checks for enough memory or disk space before it is used, so that a shortage is an error with
// both figures and not a signal or a killed process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::pmem {

// MemAvailable of /proc/meminfo (or the figure under another key), in bytes; nothing where there is
// no such file or key.
std::optional<std::uint64_t> memory_figure(const std::string& key,
                                           const std::filesystem::path& procfs = "/proc");

// Errors: kData, naming the directory, when it is no directory or its filesystem has less than
// `bytes` free.
Status require_room_on_disk(const std::filesystem::path& directory, std::size_t bytes);

// MemAvailable, the kernel's own estimate (free pages and those that it can take back, without
// swapping), or what the control group leaves of it. Nothing where neither is reported.
std::optional<std::uint64_t> available_memory(const MachinePaths& paths = {});

// What this process may still take: what is available, and not above RLIMIT_AS and RLIMIT_DATA,
// without what it has claimed and not touched yet, and without a reserve (an eighth, 16 MiB at
// most) for what nobody claims: stacks, small allocations, the kernel's tables. Nothing where it is
// not told.
struct MemoryLeft {
  std::uint64_t bytes = 0;
  std::string why;  // "what the control group (300 MiB) leaves"
};
std::optional<MemoryLeft> memory_left(const MachinePaths& paths = {});

// Errors: kLimit when less than `bytes` of memory are left; `what` names who wants them.
Status require_memory(const std::string& what, std::size_t bytes, const MachinePaths& paths = {});

// Memory that is spoken for as long as this lives, whether its pages were touched or not: so that
// two mappings do not count on the same pages.
class MemoryClaim {
 public:
  // Errors: require_memory()'s. Two threads do not claim the same memory.
  static Result<MemoryClaim> make(const std::string& what, std::size_t bytes);
  MemoryClaim(MemoryClaim&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryClaim& operator=(MemoryClaim&&) = delete;
  ~MemoryClaim();

 private:
  explicit MemoryClaim(std::size_t bytes) : bytes_(bytes) {}
  std::size_t bytes_;
};

}  // namespace hdbench::pmem
