// What the program keeps of root's power for one command, nothing but what its paths need; and
// where it may write, held by the kernel (Landlock).
//
// docs/security.md has the table. Called when the command line is parsed, before a file that it
// names is opened, and before the first thread starts. Without capabilities (an ordinary user)
// nothing changes. User and group stay: root still owns its own files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::bench {

struct PrivilegeNeeds {
  std::vector<std::filesystem::path> reads;   // files and directories, with all in them
  std::vector<std::filesystem::path> writes;  // files that are made, directories that get some
  bool proves_caches = false;    // which pages of what is read are in memory, whoever owns it
  std::uint64_t for_set_up = 0;  // capabilities kept until give_up_set_up()
};

// CAP_DAC_READ_SEARCH where some of `reads` may not be read without it, CAP_DAC_OVERRIDE where some
// of `writes` may not be made or replaced, CAP_FOWNER where pages of others' files are requested or
// a file of another's is replaced in a shared directory. Of a database it looks at the first and
// the last partition. Looks without this thread's own capabilities.
std::uint64_t needed_capabilities(const PrivilegeNeeds& needs);

// Gives up all others. Errors: kData, the kernel's.
Status give_up_privileges(const PrivilegeNeeds& needs);

// What was kept for setting up alone goes, too. Before a thread starts. Errors: kData, the
// kernel's.
Status give_up_set_up();

// For commands whose places of writing are known when the line is parsed. Comes on top of the write
// guard (engine/base/write_guard.h), which says what is wrong; this one holds root, too, whom
// permissions of files do not.
//
// From here on this process, and what it starts, makes, changes and removes files only below these
// directories, in the temporary directories, on persistent memory (mounts with DAX and their
// devices) and in /dev/null and its like; what is open stays open. Nothing where the kernel has no
// Landlock of version 3. Requires: one thread. Errors: kData, the kernel's.
Status confine_writes(const std::vector<std::filesystem::path>& directories);

// Where files are made for these: the nearest directory that there is, with and without links; a
// device is its own place.
std::vector<std::filesystem::path> places_of(const std::vector<std::filesystem::path>& written);

}  // namespace hdbench::bench
