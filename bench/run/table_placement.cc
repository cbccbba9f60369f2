#include "bench/run/table_placement.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "bench/run/placement_notes.h"
#include "engine/base/check.h"
#include "engine/base/store.h"
#include "engine/storage/flat_table.h"
#include "pmem/base/free_room.h"

namespace hdbench::bench {

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
  placement->known_tables_ = database.table_names();
  const std::shared_ptr<Store> store = placement->medium_->store();
  if (choice.layout == Layout::kFlat) {
    HDB_ASSIGN(const std::uint64_t bytes, flat_bytes(database, tables));
    HDB_TRY(placement->require_room(
        choice.codes == Codes::kNarrow ? bytes / 2 : bytes,
        "take --layout partitioned, --medium nvme, or a smaller database (gen --scale)"));
  }
  for (const std::string& name : tables) {
    std::shared_ptr<Table> table;
    if (choice.layout == Layout::kPartitioned) {
      HDB_ASSIGN(table, database.table(name, store, choice.codes, choice.compressed));
    } else {
      // The source goes through the page cache, so that a copying medium holds its table once.
      HDB_ASSIGN(const std::shared_ptr<Table> source,
                 database.table(name, make_page_cache_store()));
      HDB_ASSIGN(table, make_flat_table(*source, store, pool, choice.codes,
                                        database.domains()->outside_codes()));
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

Status TablePlacement::require_room(std::uint64_t bytes, const std::string& way_out) const {
  const auto left = memory_left();
  if (!left || bytes <= left->bytes || !medium_->copies_into_memory()) return ok_status();
  const auto mib = [](std::uint64_t figure) { return static_cast<double>(figure) / (1 << 20); };
  return Error{ErrorKind::kLimit,
               fmt::format("{}: a copy of {:.1f} MiB, and {:.1f} MiB of memory are left, {}: {}",
                           medium_->name(), mib(bytes), mib(left->bytes), left->why, way_out)};
}

Result<std::uint64_t> flat_bytes(const Database& database, const std::vector<std::string>& tables) {
  std::uint64_t bytes = 0;
  for (const std::string& name : tables) {
    HDB_ASSIGN(const auto table, database.table(name, make_page_cache_store()));
    std::uint64_t row_bytes = 0;
    const std::vector<Field>& fields = table->schema().fields;
    for (std::size_t f = 0; f < table->schema().own_fields(); ++f)
      row_bytes += type_width(fields[f].type);
    bytes += rows_of(*table) * row_bytes;
  }
  return bytes;
}

namespace {

Result<BoundQuery> bind_to(const TablePlacement& placement, const ListedQuery& listed,
                           Unreadable unreadable = Unreadable::kError) {
  const FindTable find = [&placement](const std::string& name) -> Result<const Table*> {
    return &placement.table(name);
  };
  return bind(listed.query, {find, placement.known_tables(), listed.params, unreadable});
}

}  // namespace

Result<std::vector<ListedQuery>> bindable_queries(const std::vector<ListedQuery>& queries,
                                                  const TablePlacement& placement,
                                                  std::vector<std::string>& left_out) {
  std::vector<ListedQuery> bindable;
  std::optional<Error> first;
  for (const ListedQuery& listed : queries) {
    const Result<BoundQuery> bound = bind_to(placement, listed);
    if (bound.ok()) {
      bindable.push_back(listed);
      continue;
    }
    Error error = error_in(listed, bound.error());
    left_out.push_back(
        fmt::format("{} {}: {}", placement.medium_name(), word(placement.layout()), error.message));
    if (!first) first = std::move(error);
  }
  if (bindable.empty() && first) return std::move(*first);
  return bindable;
}

Result<BoundQueries> bind_all(const std::vector<ListedQuery>& queries,
                              const TablePlacement& placement, Unreadable unreadable) {
  BoundQueries all;
  for (const ListedQuery& listed : queries) {
    Result<BoundQuery> bound = bind_to(placement, listed, unreadable);
    if (!bound.ok()) return error_in(listed, bound.error());
    all.emplace(listed.id, std::move(*bound));
  }
  return all;
}

}  // namespace hdbench::bench
