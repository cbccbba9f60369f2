// Nothing is ever written into a database: what a command writes has to lie outside.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench {

// Of a file or directory that is to be written, given by `flag`. An empty path is none. Errors:
// kUsage, where it is the database's directory or lies below it, links followed.
Status check_outside(std::string_view flag, const std::filesystem::path& path,
                     const std::filesystem::path& database);

// Of a directory that is to be written into, whatever the database. Errors: kUsage, where it is
// one, a partition of one, or a table's directory in a partition.
Status check_no_database(const std::filesystem::path& directory);

}  // namespace hdbench
