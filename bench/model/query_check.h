// Every error of a query file at once, each with what would do instead; and which queries a
// database can answer: it has their tables and columns, and these can be read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/model/query_list.h"
#include "engine/base/result.h"
#include "engine/column/table.h"
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

class RunnableCheck {
 public:
  // The database must outlive this.
  explicit RunnableCheck(const Database& database) : database_(database) {}

  // Binds the query and maps the columns that it reads; their values are not looked at. Errors:
  // those that running it would end with, a text error's caret in the query's text.
  // Fields that cannot be read may be named where a query is only explained.
  Status check(const Query& query, const QueryParams& params = {},
               Unreadable unreadable = Unreadable::kError);

  // The table of a query that was checked; null where the database has none that can be read.
  const Table* table(const Query& query) const;

 private:
  const Database& database_;
  std::map<std::string, std::shared_ptr<Table>> tables_;
};

// Those that can be run; a line of `left_out` for each of the others. Errors: the first one's,
// where none can be.
Result<std::vector<ListedQuery>> runnable_queries(std::vector<ListedQuery> queries,
                                                  const Database& database,
                                                  std::vector<std::string>& left_out,
                                                  Unreadable unreadable = Unreadable::kError);

}  // namespace hdbench::bench
