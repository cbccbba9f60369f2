#include "bench/run/table_placement.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/storage/flat_table.h"
#include "engine/storage/page_cache_store.h"

namespace hdbench {

Result<std::unique_ptr<TablePlacement>> TablePlacement::make(const Database& database,
                                                             const std::vector<std::string>& tables,
                                                             const PlacementChoice& choice,
                                                             const MediumOptions& options,
                                                             ThreadPool& pool) {
  HDB_ASSIGN(std::unique_ptr<Medium> made,
             make_placed_medium(choice.medium, choice.places, options));
  return make_on(std::move(made), database, tables, choice, pool);
}

Result<std::unique_ptr<TablePlacement>> TablePlacement::make_on(
    std::unique_ptr<Medium> medium, const Database& database,
    const std::vector<std::string>& tables, const PlacementChoice& choice, ThreadPool& pool) {
  std::unique_ptr<TablePlacement> placement(new TablePlacement(std::move(medium), choice));
  const std::shared_ptr<Store> store = placement->medium_->store();
  for (const std::string& name : tables) {
    std::shared_ptr<Table> table;
    if (choice.layout == Layout::kPartitioned) {
      HDB_ASSIGN(table, database.table(name, store, choice.codes));
    } else {
      // The source goes through the page cache, so that a copying medium holds its table once.
      HDB_ASSIGN(const std::shared_ptr<Table> source,
                 database.table(name, make_page_cache_store()));
      HDB_ASSIGN(table, make_flat_table(*source, *store, pool, choice.codes));
    }
    placement->tables_.emplace(name, std::move(table));
  }
  return placement;
}

const Table& TablePlacement::table(const std::string& name) const {
  const auto found = tables_.find(name);
  HDB_CHECK(found != tables_.end(), "a table that this placement was not made of");
  return *found->second;
}

Result<std::map<int, Plan>> bind_all(const std::vector<ListedQuery>& queries,
                                     const TablePlacement& placement) {
  std::map<int, Plan> plans;
  for (const ListedQuery& listed : queries) {
    Result<Plan> plan = listed.query.bind(placement.table(listed.query.table_name()));
    if (!plan.ok()) return error_in(listed, plan.error());
    plans.emplace(listed.id, std::move(*plan));
  }
  return plans;
}

}  // namespace hdbench
