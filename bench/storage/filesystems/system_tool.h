// A program of the system's, run to its end: mkfs.xfs and its like, which mortals' PATH may lack.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

// Where the program is: in PATH, else in /usr/sbin, /sbin or /usr/local/sbin.
std::optional<std::filesystem::path> find_tool(const std::string& name);

// arguments[0] is the program's path. Its output is swallowed. Errors: kData with its status and
// the last line that it said.
Status run_tool(const std::vector<std::string>& arguments);

}  // namespace hdbench
