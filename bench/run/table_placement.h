// A database's tables on one medium, in one layout and with stored or narrow codes: the basis of a
// group of cells.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/model/axes.h"
#include "bench/model/query_list.h"
#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/table.h"
#include "engine/exec/ranks.h"
#include "engine/operator/plan.h"
#include "engine/storage/database.h"
#include "pmem/media/medium.h"
#include "pmem/media/placed_medium.h"

namespace hdbench::bench {

struct PlacementChoice {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  Codes codes = Codes::kStored;
  Compressed compressed = Compressed::kAsStored;
  std::vector<ColumnPlace> places = {};  // of columns that lie on another medium
};

class TablePlacement {
 public:
  // Flat tables are built here; columns of partitioned ones are mapped later, as they are asked
  // for. Errors: make_placed_medium()'s, Database::table()'s and make_flat_table()'s.
  static Result<std::unique_ptr<TablePlacement>> make(const Database& database,
                                                      const std::vector<std::string>& tables,
                                                      const PlacementChoice& choice,
                                                      const MediumOptions& options,
                                                      ThreadPool& pool);

  // As make(), on an existing medium.
  static Result<std::unique_ptr<TablePlacement>> make_on(std::unique_ptr<Medium> medium,
                                                         const Database& database,
                                                         const std::vector<std::string>& tables,
                                                         const PlacementChoice& choice,
                                                         ThreadPool& pool);

  Medium& medium() { return *medium_; }
  // Asked before a copy begins, which would take minutes and end with the process killed. Errors:
  // kLimit, where the medium copies into this machine's memory and fewer bytes than that are left:
  // both figures, and `way_out`.
  Status require_room(std::uint64_t bytes, const std::string& way_out) const;
  std::string medium_name() const { return medium_->name(); }
  Layout layout() const { return choice_.layout; }
  Codes codes() const { return choice_.codes; }
  // Requires: name is one of the tables that this was made of.
  const Table& table(const std::string& name) const;
  // Ranks of which each maps its own partitions; null: this process maps all. They must outlive it.
  void share_between(const Ranks* ranks) { ranks_ = ranks; }
  const Ranks* ranks() const { return ranks_; }
  // Of the whole database.
  const std::vector<std::string>& known_tables() const { return known_tables_; }

 private:
  TablePlacement(std::unique_ptr<Medium> medium, PlacementChoice choice)
      : medium_(std::move(medium)), choice_(std::move(choice)) {}

  std::unique_ptr<Medium> medium_;
  PlacementChoice choice_;
  std::map<std::string, std::shared_ptr<Table>> tables_;
  std::vector<std::string> known_tables_;
  const Ranks* ranks_ = nullptr;
};

// All queries bound to a placement's tables, by query id.
using BoundQueries = std::map<int, BoundQuery>;
Result<BoundQueries> bind_all(const std::vector<ListedQuery>& queries,
                              const TablePlacement& placement,
                              Unreadable unreadable = Unreadable::kError);

// The queries that these tables can answer: a flat one lacks each column that one of its partitions
// lacks. A line of `left_out` for each of the others. Errors: the first one's, where none can be.
Result<std::vector<ListedQuery>> bindable_queries(const std::vector<ListedQuery>& queries,
                                                  const TablePlacement& placement,
                                                  std::vector<std::string>& left_out);

// The bytes of the tables, flat, with codes as stored. Reads headers alone.
Result<std::uint64_t> flat_bytes(const Database& database, const std::vector<std::string>& tables);

}  // namespace hdbench::bench
