// `hdbench describe`: what a database holds: its tables, their partitions, rows and columns, how
// they are stored, and what of them cannot be read.
//
// Reads listings, the headers that the schema and the row counts need, and of every column file how
// it is stored; no values. `verify` looks at everything.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/type.h"
#include "engine/storage/database.h"

namespace hdbench {

struct ColumnDescription {
  std::string name;
  std::string type;  // q's name of it; empty: not told, as its header cannot be read
  Attribute attribute = Attribute::kNone;  // as the newest partition has it
  std::string domain;                      // of symbols
  // How many of its files are stored how: "none", "zlib 6".
  std::map<std::string, std::uint64_t> files;
  // With the companions of nested columns (`col#`, `col##`). Plain: decompressed. 0 in a saved
  // table, whose columns lie in one file.
  std::uint64_t stored_bytes = 0;
  std::uint64_t plain_bytes = 0;
  std::string unreadable;  // why no query may name it; empty: queries may
};

// Saved: as one file at the root.
enum class TableKind { kPartitioned, kSplayed, kSaved };
const char* word(TableKind kind);

struct TableDescription {
  std::string name;
  TableKind kind = TableKind::kSplayed;
  std::uint64_t partitions = 0;  // directories of the table; one where it is not partitioned
  std::uint64_t rows = 0;        // of the parts that can be read
  std::uint64_t stored_bytes = 0;
  std::uint64_t plain_bytes = 0;
  std::vector<ColumnDescription> columns;  // without the virtual one
  // A line each; what is alike in several partitions is told once, with their number.
  std::vector<std::string> notes, unreadable;
};

struct DatabaseDescription {
  std::string root;
  std::string partition_field;  // "date"; empty: no partitions
  std::uint64_t partitions = 0;
  std::string first, last;  // names of partitions
  std::vector<TableDescription> tables;
  std::vector<std::string> notes, unreadable;  // of the directories
};

// Of all tables, or of the one with this name. Errors: kUsage: no such table, with those there are.
Result<DatabaseDescription> describe_database(const Database& database,
                                              std::string_view table = {});

}  // namespace hdbench
