// A kdb+ historical database: the directory, its partitions, its tables. Read-only.
//
// Opening reads directory listings, and the first bytes of files at the root. A table that is asked
// for reads its newest `.d` and a header for each column; columns are mapped on first use.
// Supported: par.txt, date/month/year/int partitions, splayed and saved tables at the root (which
// hide partitioned ones of their name), and partitions that lack a table (they count as empty).
// Stray files and entries ending in `$` are ignored. What cannot be read decides nothing but the
// queries that need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/map_budget.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/table.h"
#include "engine/storage/database_layout.h"
#include "engine/storage/narrow_codes.h"
#include "engine/storage/plain_file.h"
#include "engine/storage/saved_table.h"
#include "engine/storage/symbol_list.h"

namespace hdbench {

struct DatabaseOptions {
  // Columns that a partition's `.d` does not name are null there; else an error.
  bool missing_as_null = false;
  // What is wrong with some of the directories and would refuse the database is one of unreadable()
  // instead, and left out: for who looks at a database, and never for a query's answer.
  bool tolerates_problems = false;
  // How many memory maps a process may have: the kernel's limit, or nothing for none.
  std::optional<std::uint64_t> map_count_max = hdbench::map_count_max();
};

class Database {
 public:
  // Errors: kData: not a directory, empty, no table in it, a broken par.txt: naming the path.
  static Result<std::shared_ptr<Database>> open(const std::filesystem::path& root,
                                                const DatabaseOptions& options = {});
  ~Database();

  const std::filesystem::path& root() const;
  const DatabaseOptions& options() const;
  // The directories as they were listed at the opening, and the domains: for `verify`, which looks
  // behind the tables.
  const DatabaseLayout& layout() const;
  const std::shared_ptr<Domains>& domains() const;
  // Sorted names of the tables, partitioned, splayed and saved.
  std::vector<std::string> table_names() const;
  // Values that partitions have, whatever tables they have.
  std::size_t partition_count() const;
  // What is odd about the directories and still right, and what of them cannot be read, a line
  // each.
  const std::vector<std::string>& notes() const;
  std::vector<std::string> unreadable() const;
  // The objects at the root that are no tables, and those that cannot be read, a line each: no
  // query of a table concerns them.
  const std::vector<std::string>& skipped() const;

  // A table's directories: one a partition, in their order; one for a splayed table.
  // Errors: kUsage for an unknown name, listing the known ones; kData for a link at the root that
  // leads nowhere. Requires: no saved_file().
  Result<std::vector<TableDirectory>> table_directories(std::string_view name) const;

  // The file of a table that was saved as one; "" for the others.
  std::filesystem::path saved_file(std::string_view name) const;

  // A table whose columns `store` will hold, mapped as they are requested, symbols as `codes` says,
  // compressed files as `compressed` says (saved tables, and those with links, are
  // always unpacked).
  // The database must outlive nothing: a table holds what it needs. Errors: kUsage for an unknown
  // name (listing the known ones), kData for a broken schema.
  Result<std::shared_ptr<Table>> table(std::string_view name, std::shared_ptr<Store> store,
                                       Codes codes = Codes::kStored,
                                       Compressed compressed = Compressed::kUnpacked) const;

  // The column files of a table, partition by partition, in schema order (for eviction and
  // residency proofs).
  Result<std::vector<std::filesystem::path>> column_files(std::string_view name) const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  Result<SavedTable> own_table(std::string_view name, const std::shared_ptr<Store>& store,
                               Codes codes, Compressed compressed) const;
  std::unique_ptr<State> state_;
};

}  // namespace hdbench
