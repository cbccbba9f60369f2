// What the commands that run queries share: an open database, where results and spilled bytes go,
// and threads.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "bench/base/interrupt.h"
#include "bench/base/one_pool.h"
#include "bench/model/axes.h"
#include "bench/model/query_list.h"
#include "bench/run/needed_columns.h"
#include "bench/run/table_placement.h"
#include "bench/run/timed_run.h"
#include "engine/base/result.h"
#include "engine/exec/prefetcher.h"
#include "engine/storage/database.h"
#include "pmem/media/medium.h"
#include "pmem/media/placed_medium.h"

namespace hdbench {

struct SessionOptions {
  std::filesystem::path database;
  MediumOptions media;  // without a database to keep: place() names it
  bool pmem_keep = false;
  std::vector<ColumnPlace> places;  // --place: of every table and medium
  std::string result_medium;        // empty: dram, or where Memory Mode's columns are
  OnLimit on_limit = OnLimit::kAbort;
  // Of each of the two buffers that ceilings are measured on; 0: as large as this machine needs.
  std::size_t ceiling_bytes = 0;
  const std::atomic<bool>* stop = &interrupted();  // set: what runs ends soon
};

class Session {
 public:
  // Errors: Database::open()'s; make_medium()'s for the result medium; kUsage for a scratch
  // or pmem directory that is none.
  static Result<std::unique_ptr<Session>> open(SessionOptions options);

  const Database& database() const { return *database_; }
  const SessionOptions& options() const { return options_; }
  // Of --place: place() looks, too. Errors: kUsage, a column that none of these tables has.
  Status check_places_in(const std::vector<std::string>& tables) const;
  OnePool& pools() { return pools_; }

  Result<std::unique_ptr<TablePlacement>> place(const std::vector<std::string>& tables,
                                                const std::string& medium, Layout layout,
                                                Codes codes = Codes::kStored);

  // Maps what the queries' plans need of the placement's tables, with progress on a terminal.
  Status map_needed(const std::vector<ListedQuery>& queries, const std::map<int, Plan>& plans,
                    const TablePlacement& placement);

  // Runs one query on setting.threads threads under setting.limit_mib. `medium` holds the table.
  Result<TimedRun> run(const Table& table, const Plan& plan, const Setting& setting,
                       Medium& medium);

  // Gives back the memory that results were built in; the next are built in other pages. Not while
  // a placement lives. Errors: make_medium()'s for the result medium.
  Status renew_results();

  // Gives back the memory through which a disk was read ahead; it is made again when it is needed.
  void release_read_ahead();

  // Of queries whose columns lie on `medium`: where their results are built.
  Medium& result_medium_of(Medium& medium);
  // Whether a query over this medium reads columns that no device is charged for.
  void tell_meters(Medium& medium);

  // Where the memory lies that results of queries on `medium` are built in. Errors:
  // Medium::verify_placement()'s.
  Result<PlacementProof> verify_results(Medium& medium);

 private:
  Session() = default;

  Prefetcher& prefetcher_of(Medium& medium);
  // Measures this host's memory, once, when a medium of this word is to be emulated.
  Status calibrate_for(const std::string& medium);

  SessionOptions options_;
  OnePool pools_;
  std::shared_ptr<Database> database_;
  std::unique_ptr<Medium> result_medium_;
  std::string told_note_;  // of the last placement's medium
  std::unique_ptr<std::pmr::memory_resource> spill_;
  bool calibrated_ = false;

  // Of the store that was read ahead from last.
  struct ReadAhead {
    explicit ReadAhead(std::shared_ptr<Store> of, std::span<const int> cpus)
        : store(std::move(of)), prefetcher(*store, cpus) {}
    std::shared_ptr<Store> store;
    Prefetcher prefetcher;
  };
  std::unique_ptr<ReadAhead> read_ahead_;
  std::string read_ahead_note_;  // said last
};

}  // namespace hdbench
