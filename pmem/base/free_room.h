// Checks for enough memory or disk space before it is used, so that a shortage is an error with
// both figures and not a signal or a killed process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench {

// MemAvailable of /proc/meminfo (or the figure under another key), in bytes; nothing where there is
// no such file or key.
std::optional<std::uint64_t> memory_figure(const std::string& key,
                                           const std::filesystem::path& procfs = "/proc");

// Errors: kData, naming the directory, when it is no directory or its filesystem has less than
// `bytes` free.
Status require_room_on_disk(const std::filesystem::path& directory, std::size_t bytes);

// MemAvailable, the kernel's own estimate (free pages and those that it can take back, without
// swapping), or what the control group leaves of it. Nothing where neither is told.
std::optional<std::uint64_t> available_memory(const MachinePaths& paths = {});

// Errors: kData when less than `bytes` of memory are available; `what` names who wants them.
Status require_memory(const std::string& what, std::size_t bytes, const MachinePaths& paths = {});

}  // namespace hdbench
