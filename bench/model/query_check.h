// Every error of a query file at once, each with what would do instead.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/storage/database.h"

namespace hdbench::bench {

struct QueryCheck {
  std::size_t queries = 0;
  // File, line, error, the query with a caret, and "instead: ..."; lines without an end of line.
  std::vector<std::string> errors;
};

// Parses every query, and with a database binds it to its table: columns and types are there and
// can be read, rows are not read. Errors: kUsage: the file cannot be read.
Result<QueryCheck> check_queries(const std::filesystem::path& file, const Database* database);

// What is written instead of what is at `caret`. Empty: nothing that is known.
std::string instead_of(std::string_view text, std::size_t caret, std::string_view message);

}  // namespace hdbench::bench
