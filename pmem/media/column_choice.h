// Which columns a placement means: `[TABLE.]COLUMN[@lastN]`.
//
//   bid             every table's bid, in all partitions
//   quote.bid       that of one table
//   quote.bid@last20   that in the newest 20 partitions
//
// Where several mean a column, the closest counts: partitions before a table before a name alone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench::pmem {

struct ColumnChoice {
  std::string table;  // empty: any
  std::string column;
  std::size_t newest = 0;  // partitions; 0: all

  bool is_name_alone() const { return table.empty() && newest == 0; }
};

// Errors: kUsage: no name, or what follows `@` is not `last` and a number from 1 on.
Result<ColumnChoice> parse_column_choice(std::string_view text);
std::string to_text(const ColumnChoice& choice);

// How closely the choice means the file DB/PARTITION/TABLE/COLUMN, of which the companions COLUMN#
// and COLUMN## are part: the greater, the closer; 0: not at all. newest: the names of the choice's
// partitions.
int closeness(const ColumnChoice& choice, const std::set<std::string>& newest,
              const std::filesystem::path& file);

}  // namespace hdbench::pmem
