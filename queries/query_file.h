// Query files: numbered q-SQL queries with their expected row counts, such as paper.q,
// paper-counted.q, aggregates.q and desk.q.
//
// One query a line; indented lines right below go on with it, as in q's scripts. Lines starting
// with `/` are comments; the comment `/ 7` or `/ 7: expect 8` before a query gives it its number
// and, where known, its row count at scale 1. Queries without a number are counted from 1 in file
// order. A comment of words on the lines right before a query, or before its number, says what it
// asks. A comment behind a query, a block from a line `/` to a line `\` and a byte order mark are
// passed over. A line that only defines names (f:{...}, t:select ...) is no query: it stands before
// the later ones that use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::queries {

struct QueryEntry {
  int id = 0;            // 0 while it is read: none was given
  std::size_t line = 0;  // of the file, from 1
  std::string text;
  std::string name;  // the words above it, in one line; empty: none
  std::optional<std::uint64_t> expected_rows_scale1;
};

// What a file holds, whatever is wrong with it.
struct QueryFile {
  std::vector<QueryEntry> entries;
  std::vector<Error> errors;  // each names file and line
};
// Errors: kUsage: it cannot be read.
Result<QueryFile> read_whole_query_file(const std::filesystem::path& path);

// The same of a text; `name` is for messages.
QueryFile read_query_text(std::string_view text, const std::string& name);

// Errors: kUsage naming file and line.
Result<std::vector<QueryEntry>> read_query_file(const std::filesystem::path& path);

// Finds one of the program's query files: in ../share/hdbench/queries relative to the executable
// (installed), else in the source tree that it was built from. `name` is "paper.q",
// "paper-counted.q", "aggregates.q" or "desk.q". Errors: kUsage, listing the paths tried.
Result<std::filesystem::path> find_query_file(const std::string& name);

}  // namespace hdbench::queries
