// Where a command may write, held by the kernel (Landlock).
//
// For commands whose places of writing are known when the line is parsed. Comes on top of the write
// guard (engine/base/write_guard.h), which says what is wrong; this one holds root, too, whom
// permissions of files do not.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::bench {

// From here on this process, and what it starts, makes, changes and removes files only below these
// directories, in the temporary directories, on persistent memory (mounts with DAX and their
// devices) and in /dev/null and its like; what is open stays open. Nothing where the kernel has no
// Landlock of version 3. Requires: one thread. Errors: kData, the kernel's.
Status confine_writes(const std::vector<std::filesystem::path>& directories);

// Where files are made for these: the nearest directory that there is, with and without links; a
// device is its own place.
std::vector<std::filesystem::path> places_of(const std::vector<std::filesystem::path>& written);

}  // namespace hdbench::bench
