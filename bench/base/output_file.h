// The output files of commands (-o, --out): checked before the work, and again when they are
// written.
//
// A regular file is complete or absent: it is written beside its place and then renamed. It is
// never part of a database, and a file that hdbench did not write is replaced only on request
// (--force). Links are resolved: their target is written, and they remain. Pipes, terminals and
// /dev/null are written to; other devices, sockets and directories are refused.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// The help of the flag that sets OutputFile::force.
constexpr const char* kForceHelp =
    "replace a file at the output's place that hdbench did not write";

struct OutputFile {
  std::string flag;  // that names it, for messages: "--out"
  std::filesystem::path path;
  bool force = false;  // replace a file that hdbench did not write

  bool is_given() const { return !path.empty(); }
};

// Whether it can be written later; an output that is not given can. Nothing is changed, but from
// here on, until this process ends, no other hdbench passes this check for the same file. Errors:
// kUsage, naming the flag, the path and why.
Status check_output(const OutputFile& output);

// Writes it; what is not given is not written. Errors: check_output()'s; kData, naming the path and
// what the system said: then a file that was there is as it was, and nothing is left behind.
Status write_output(const OutputFile& output, std::string_view text);

// The file that write_output() makes or replaces, links resolved; nothing where none is given, and
// for a pipe or device, which could not be replaced later. Errors: check_output()'s.
Result<std::optional<std::filesystem::path>> file_of(const OutputFile& output);

// Writes the file anew and opens it, so that more can be appended. Requires: it is a file. Errors:
// write_output()'s.
Result<FileHandle> begin_output(const OutputFile& output, std::string_view text);

}  // namespace hdbench::bench
