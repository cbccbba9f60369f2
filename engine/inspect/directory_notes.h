// What is odd about a database's directories, and hides data from queries without an error.
#pragma once

#include <string>
#include <vector>

#include "engine/storage/database.h"

namespace hdbench {

// A line each: partitions without any table, or without one that others have; partitions at the
// root that are not read for a par.txt beside them; column files at the root without a `.d`.
std::vector<std::string> directory_notes(const Database& database);

}  // namespace hdbench
