// Which queries a database can answer: it has their tables and columns, and these can be read.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/model/query_list.h"
#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/storage/database.h"

namespace hdbench::bench {

class RunnableCheck {
 public:
  // The database must outlive this.
  explicit RunnableCheck(const Database& database) : database_(database) {}

  // Binds the query and maps the columns that it reads; their values are not looked at. Errors:
  // those that running it would end with, a text error's caret in the query's text.
  Status check(const Query& query, const QueryParams& params = {});

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
                                                  std::vector<std::string>& left_out);

}  // namespace hdbench::bench
