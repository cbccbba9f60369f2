// Runs a system program to its end, such as mkfs.xfs, also if it lies in a directory that an
// ordinary user's PATH lacks.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

// The path of the program: in PATH, else in /usr/sbin, /sbin or /usr/local/sbin.
std::optional<std::filesystem::path> find_tool(const std::string& name);

// arguments[0] is the program's path. Its output is swallowed. Errors: kData with its status and
// the last line that it said.
Status run_tool(const std::vector<std::string>& arguments);

}  // namespace hdbench
