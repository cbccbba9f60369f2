// `hdbench verify`: lists every defect in a database's files, not only the first, and what else is
// odd or cannot be read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/storage/database.h"

namespace hdbench {

// One line each: file, offset, found, expected. Repeats within a column are counted, not listed.
struct VerifyReport {
  std::vector<std::string> findings;    // errors: queries fail, or would be wrong
  std::vector<std::string> notes;       // odd, and right all the same
  std::vector<std::string> unreadable;  // whole as far as it was looked at, and not supported here
  std::uint64_t tables = 0;
  std::uint64_t partitions = 0;  // directories of tables
  std::uint64_t columns = 0;     // files that could be read
  std::uint64_t rows = 0;        // of all tables, as most of their columns say
  std::uint64_t bytes = 0;       // of columns, decompressed
};

// Reads every column of every table: its header and length, its rows against the other columns',
// its type and domain against the newest partition's, every code against the domain, p#, s# and u#
// against the values (guids apart), the p# index against the values, every nested cell and all that
// it leads to; every domain for symbols that it has twice; and the directories
// (directory_notes()).
// One file is mapped at a time. Goes on to the end whatever it meets.
VerifyReport verify(const Database& database);

// What is odd about a database's directories, and hides data from queries without an error, a line
// each: partitions without any table, or without one that others have; partitions at the root that
// are not read for a par.txt beside them; column files at the root without a `.d`.
std::vector<std::string> directory_notes(const Database& database);

}  // namespace hdbench
