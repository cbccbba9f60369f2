// The directories of a database: its partitions and what tables they hold (docs/hdb-format.md,
// "Directories").
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/type.h"

namespace hdbench {

struct PartitionDirectory {
  std::int64_t value = 0;  // in the partition field's own type
  std::filesystem::path path;
  std::vector<std::string> entries;  // its directories, sorted: tables and, perhaps, strays
};

struct DatabaseLayout {
  std::filesystem::path root;
  // The virtual field; "" where the database has no partitions.
  std::string partition_field;
  QType partition_type = QType::kDate;
  std::vector<PartitionDirectory> partitions;  // rising
  std::vector<std::string> splayed;  // sorted names of directories at the root with a `.d`
};

// Reads the listings of `root`, of the segments that its par.txt names, and of every partition.
// Errors: kData: not a directory, partitions of two kinds, one partition in two segments, a segment
// that is not there.
Result<DatabaseLayout> read_database_layout(const std::filesystem::path& root);

}  // namespace hdbench
