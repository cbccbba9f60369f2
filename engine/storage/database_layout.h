// The directories of a database: its partitions and what tables they hold (docs/hdb-format.md,
// "Directories").
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/type.h"

namespace hdbench {

struct PartitionDirectory {
  std::int64_t value = 0;  // in the partition field's own type
  std::filesystem::path path;
  std::vector<std::string> entries;  // its directories, sorted: tables and, perhaps, strays
  // Why it cannot be listed, path and reason; "" where it can.
  std::string unreadable = {};
  // The entries that are in the place of a directory and are none: name, then path and reason.
  std::map<std::string, std::string, std::less<>> broken = {};
};

// Where a part of a table lies.
struct TableDirectory {
  std::int64_t partition_value = 0;
  std::filesystem::path path;  // "" where the partition lacks the table
  // Why the part cannot be read, path and reason: whoever needs the part gets it as kData. "" where
  // it can.
  std::string unreadable = {};
};

struct DatabaseLayout {
  std::filesystem::path root;
  // The virtual field; "" where the database has no partitions.
  std::string partition_field;
  QType partition_type = QType::kDate;
  // Rising; of one value where segments share it, in par.txt's order. What is named like a
  // partition of this kind and cannot be read is one of them.
  std::vector<PartitionDirectory> partitions;
  std::vector<std::string> splayed;  // sorted names of directories at the root with a `.d`
  // Links at the root that lead nowhere: name, then path and reason.
  std::map<std::string, std::string, std::less<>> broken;
  std::vector<std::string> notes;     // what looks like a partition and is none, a line each
  std::vector<std::string> problems;  // tolerated ones: what they concern is left out
};

// Whether a directory of this name is a partition, of whatever kind.
bool is_partition_name(std::string_view name);

// Whether a directory is a table's: it has a `.d`.
bool has_columns(const std::filesystem::path& directory);

// Reads the listings of `root`, of the segments that its par.txt names, and of every partition.
// Errors: kData: not a directory, partitions of two kinds, one that is there twice (1 and 01), a
// segment that is not there or is named twice. With `tolerates` all but the first are problems of
// the layout instead.
Result<DatabaseLayout> read_database_layout(const std::filesystem::path& root,
                                            bool tolerates = false);

}  // namespace hdbench
