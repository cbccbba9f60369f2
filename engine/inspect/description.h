// `hdbench describe`: what a database holds: its tables, their partitions, rows and columns, how
// they are stored, and what of them cannot be read.
//
// Reads listings, the headers that the schema and the row counts need, of every column file how it
// is stored, and the first cells of nested columns; no other values. `verify` looks at everything.
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
  // q's name of it; of nested columns "float list", "string", "mixed list", by their first cells in
  // the newest partition that has any. Empty: its header cannot be read.
  std::string type;
  Attribute attribute = Attribute::kNone;  // as the newest partition has it
  std::string domain;                      // of symbols
  std::string link;                        // of rows of another table: its name
  bool is_key = false;                     // of a keyed table
  // How many of its files are stored how: "none", "zlib 6".
  std::map<std::string, std::uint64_t> files;
  // With the companions of nested columns (`col#`, `col##`). Plain: decompressed. Zero for a
  // saved table, whose columns lie in one file.
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
  std::uint64_t partitions = 0;  // values of those that have it; one where it is not partitioned
  std::uint64_t rows = 0;        // of the parts that can be read
  std::uint64_t stored_bytes = 0;
  std::uint64_t plain_bytes = 0;
  std::vector<ColumnDescription> columns;  // without the virtual one
  // A line each; what is alike in several partitions is listed once, with their number.
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
