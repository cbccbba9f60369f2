// A file that is there whole or not at all: written beside its place, then renamed.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench {

// Whether a file can be written there later. Errors: kUsage: no such directory, not writable, or a
// directory itself.
Status check_writable(const std::filesystem::path& path);

// Errors: kData, naming the path and what the system said; nothing is left behind then.
Status write_whole_file(const std::filesystem::path& path, std::string_view text);

}  // namespace hdbench
