// Decides where hdbench may write: never into a database.
//
// Every path that is written passes here: files, directories in which files are created, and
// parents of new databases. Links are resolved first, and every directory on the way is checked,
// which detects links into a database as well as directories that a database links to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

// A path without links, and the directories that were gone through to reach it, its own included
// where it is one. What does not exist is appended as it was given.
struct ResolvedPath {
  std::filesystem::path path;
  std::vector<std::filesystem::path> directories;
};

// Errors: kUsage: too many links, or a part that cannot be looked at.
Result<ResolvedPath> resolve_path(const std::filesystem::path& given);

// What makes a directory part of a database ("holds par.txt"), or nothing: a splayed table (.d), a
// root (par.txt, a symbol file, splayed tables, partitions), a segment or a partition.
std::optional<std::string> why_database(const std::filesystem::path& directory);

// Whether the bytes begin as a file of kdb+'s does.
bool begins_as_kdb_file(std::string_view head);

// Of a file or directory that is to be written, given by `flag` (or what else names it). An empty
// path is none. Errors: kUsage, naming flag, path and database: it is part of a database or lies
// below one; resolve_path()'s.
Status check_outside_databases(std::string_view flag, const std::filesystem::path& target);

// The same against one database that is known to be in use, whatever it looks like: its root, the
// segments that its par.txt names, and the partitions and tables that it links to. No error where
// there is no such database.
Status check_outside(std::string_view flag, const std::filesystem::path& target,
                     const std::filesystem::path& database);

// The system's directory for temporary files (TMPDIR). Errors: kUsage: not a directory, or in a
// database.
Result<std::filesystem::path> temporary_directory();

}  // namespace hdbench
