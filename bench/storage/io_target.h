// Describes a measured directory: its filesystem and device, as the kernel shows them.
#pragma once

#include <filesystem>
#include <optional>

#include "bench/storage/io_run.h"

namespace hdbench::bench {

// `scratch` is a directory of ours below the target: what the target grants is tried there. Errors:
// kData, naming it: no file can be written there.
Result<IoTarget> look_at_target(const std::filesystem::path& target,
                                const std::filesystem::path& scratch);

// Bytes that were written to a block device since the machine started, by all; nothing where sysfs
// does not tell.
std::optional<std::uint64_t> bytes_written_to(const std::string& device,
                                              const std::filesystem::path& sysfs = "/sys");

}  // namespace hdbench::bench
