#include "bench/model/runnable_queries.h"

#include <optional>
#include <utility>

#include "bench/base/lines.h"
#include "engine/base/store.h"
#include "engine/exec/explain.h"

namespace hdbench::bench {

Status RunnableCheck::check(const Query& query, const QueryParams& params) {
  HDB_TRY(require_tables(query, database_));
  const FindTable find = [this](const std::string& name) -> Result<const Table*> {
    std::shared_ptr<Table>& table = tables_[name];
    if (table == nullptr) {
      HDB_ASSIGN(table, database_.table(name, make_page_cache_store()));
    }
    return table.get();
  };
  HDB_ASSIGN(const BoundQuery bound, bind(query, {find, database_.table_names(), params}));
  const Explanation explanation = explain(*bound.table, *bound.plan, {});
  return explanation.error ? Status(*explanation.error) : ok_status();
}

const Table* RunnableCheck::table(const Query& query) const {
  if (query.tables.empty()) return nullptr;
  const auto found = tables_.find(query.tables.front().text);
  return found == tables_.end() ? nullptr : found->second.get();
}

Result<std::vector<ListedQuery>> runnable_queries(std::vector<ListedQuery> queries,
                                                  const Database& database,
                                                  std::vector<std::string>& left_out) {
  RunnableCheck runnable(database);
  std::vector<ListedQuery> kept;
  std::optional<Error> first;
  for (ListedQuery& listed : queries) {
    const Status status = runnable.check(listed.query, listed.params);
    if (status.ok()) {
      kept.push_back(std::move(listed));
      continue;
    }
    Error error = error_in(listed, status.error());
    add_once(left_out, error.message);
    if (!first) first = std::move(error);
  }
  if (kept.empty() && first) return std::move(*first);
  return kept;
}

}  // namespace hdbench::bench
