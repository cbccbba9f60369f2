// Runs a system program to its end, such as mkfs.xfs, also if it lies in a directory that an
// ordinary user's PATH lacks (/usr/sbin, /sbin or /usr/local/sbin).
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

bool has_tool(const std::string& name);

// What it wrote, messages included. Errors: kData with its status and the last line that it wrote.
Result<std::string> run_tool(const std::vector<std::string>& words);

}  // namespace hdbench
