// `hdbench verify`: lists every defect in a database's files, not only the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/storage/database.h"

namespace hdbench {

struct VerifyReport {
  // One line each: file, offset, found, expected. Repeats within a column are counted, not listed.
  std::vector<std::string> findings;
  std::vector<std::string> notes;  // what is odd and right
  std::uint64_t tables = 0;
  std::uint64_t partitions = 0;  // directories of tables
  std::uint64_t columns = 0;     // files that could be read
  std::uint64_t rows = 0;        // of all tables, as most of their columns say
  std::uint64_t bytes = 0;       // of columns, decompressed
};

// Reads every column of every table: its header and length, its rows against the other columns',
// its type and domain against the newest partition's, every code against the domain, p#, s# and u#
// against the values (guids apart), the p# index against the values, every nested cell; and every
// domain for symbols that it has twice. What the directories have in the place of a partition or a
// table and cannot be read is found, too. Findings are the result, not an error.
Result<VerifyReport> verify(const Database& database);

}  // namespace hdbench
