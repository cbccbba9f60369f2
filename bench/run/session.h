// State shared by the commands that run queries: an open database, the location of results and
// spilled bytes, and threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/base/interrupt.h"
#include "bench/base/layers.h"
#include "bench/base/one_pool.h"
#include "bench/model/axes.h"
#include "bench/model/query_list.h"
#include "bench/ranks/shared_partitions.h"
#include "bench/run/needed_columns.h"
#include "bench/run/rank_commands.h"
#include "bench/run/table_placement.h"
#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/exec/execute.h"
#include "engine/exec/prefetcher.h"
#include "engine/exec/workspace.h"
#include "engine/operator/plan.h"
#include "engine/storage/database.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/emulated_meter.h"
#include "pmem/media/medium.h"
#include "pmem/media/placed_medium.h"
#include "queries/literal/literal_parser.h"

namespace hdbench::bench {

struct SessionOptions {
  std::filesystem::path database;
  DatabaseOptions reading = {};
  MediumOptions media;  // without a database to keep: place() names it
  bool pmem_keep = false;
  std::vector<ColumnPlace> places;  // --place: of every table and medium
  // Indices beyond their domain are read as the empty symbol, and reported when the session ends.
  bool lenient = false;
  std::string result_medium;  // empty: dram, or where Memory Mode's columns are
  LimitRule limit_rule;
  // A setting's limit of 0 is what memory is left, not none: no -w was given.
  bool is_limit_what_is_left = false;
  // Bytes of each of the two buffers over which this machine's memory is measured, for ceilings and
  // the emulator; 0: as this machine requires.
  std::size_t ceiling_bytes = 0;
  QueryParams params = {};                         // --param: values of names in the queries
  const std::atomic<bool>* stop = &interrupted();  // set: what runs ends soon
  RankJob* job = nullptr;                          // null: this process alone
  std::string queries_hash = {};                   // under a job: hash_of_texts() of the queries
  Sharing sharing = {};                            // between the job's ranks
};

// One run of a query, timed and counted.
struct TimedRun {
  TimedRun() = default;
  TimedRun(TimedRun&&) = default;
  // A result must go before its workspace, which assignment would turn round.
  TimedRun& operator=(TimedRun&&) = delete;

  double real_ms = 0;  // of an emulated medium's mode: waited for, or modelled
  double cpu_ms = 0;   // of all threads, at most as long as all of them ran; 0: not known
  ExecuteStats stats;
  std::uint64_t used_bytes = 0;  // of the workspace, with the result still in it
  std::uint64_t peak_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t minor_faults = 0;
  std::vector<EmulationResult> emulations;    // of the meters, in order
  std::optional<std::uint64_t> device_bytes;  // read from block devices, where the kernel tells
  double begin_ms = 0;                        // clock_ms() (network_probe.h)
  std::vector<RankRun> ranks;                 // on rank 0 of several: by rank, the others'

  // The table's bytes are the workspace's: it comes first, so that it is destroyed last.
  std::unique_ptr<Workspace> workspace;
  std::optional<ResultTable> table;  // nothing: the limit stopped it (0N)
  std::string limit_message;         // then why
};

// CPU time of all threads of this process so far.
double process_cpu_ms();

class Session {
 public:
  // Under a job all ranks open it together, and agree (rank_opening.h). Errors: Database::open()'s;
  // make_medium()'s for the result medium; kUsage for a scratch or pmem directory that is none.
  static Result<std::unique_ptr<Session>> open(SessionOptions options);
  ~Session();

  const Database& database() const { return *database_; }
  const SessionOptions& options() const { return options_; }
  // The places of --place, with the tables' columns for `all`. Errors: kUsage for a column that
  // none of these tables has.
  Result<std::vector<ColumnPlace>> places_in(const std::vector<std::string>& tables) const;
  // What media of this word are made with: where its near cache is a share of the data, their
  // bytes are counted first. Errors: parse_medium_spec()'s; kData: files that cannot be counted.
  Result<MediumOptions> media_for(const std::string& medium);
  OnePool& pools() { return pools_; }
  // The job's, where its ranks share the partitions: on rank 0 what follows is done by all of them,
  // each over those that it owns; the others serve_rank_0() (rank_commands.h). Null: this process
  // runs queries alone.
  SharedPartitions* ranks() { return options_.sharing.replicas ? nullptr : ranks_.get(); }
  // Null: there is no job.
  SharedPartitions* job_ranks() { return ranks_.get(); }
  RankCommands* commands() { return commands_.get(); }  // on rank 0 of several; else null
  std::size_t owned_partitions();

  // Where the choice has no places they are --place's.
  Result<std::unique_ptr<TablePlacement>> place(const std::vector<std::string>& tables,
                                                PlacementChoice choice);

  // Maps the columns that the queries' plans need. `show` is called with columns done and all;
  // empty: progress on a terminal.
  using Show = std::function<void(std::size_t done, std::size_t total)>;
  Status map_needed(const std::vector<ListedQuery>& queries, const BoundQueries& bound,
                    TablePlacement& placement, const Show& show = {});

  // Tells the other ranks, too, which queries are run over the placement; map_needed() does.
  Status announce(const BoundQueries& bound);
  // The state of the cache, and its proof, of all ranks.
  Result<CacheProof> prepare(TablePlacement& placement, Cache cache);

  // The bytes that bound the workspace of queries over `medium`; 0: nothing does.
  std::uint64_t limit_bytes(const Setting& setting, Medium& medium);
  // Runs one query once, timed and counted, on setting.threads threads under limit_bytes().
  // `medium` holds the table. The pool's threads are awake when the clock starts, as they are from
  // one query to the next of a busy process: what is timed is memory, not the operating system's
  // wake-up (thread_pool.h). Those that find nothing to do look for work for a while, which
  // cpu_ms has too. Errors: what execute() cannot do but for the limit, which is no error here;
  // kUsage "interrupted" where a wait for an emulated device was cut short.
  // `ready`: called before the clock starts.
  using Ready = std::function<Status()>;
  Result<TimedRun> run(const BoundQuery& query, const Setting& setting, Medium& medium,
                       KeepUnpacked keep = KeepUnpacked::kUntilQueryEnds, const Ready& ready = {});

  // Adds a run's figures to those of its cell's ranks; without ranks none.
  void note_ranks(const TimedRun& run, std::vector<RankCellTimes>& ranks) const;
  // Of this job, without its ceilings; set once.
  void set_clock_offsets(const NetworkFigures& network);

  // Gives back what the heap of results keeps, which is as much as the greatest result took: before
  // other memory is filled.
  void trim_results();
  // Likewise the heap of results over this medium, which in Memory Mode is its own.
  void trim_results_of(Medium& medium);

  // Frees the memory of results, so that the next ones use other pages. Not while a placement
  // exists. Errors: make_medium()'s for the result medium.
  Status renew_results();

  // Frees the read-ahead buffers; they are allocated again when needed.
  void release_read_ahead();

  // The medium on which results of queries over `medium` are built.
  Medium& result_medium_of(Medium& medium);
  // The one that takes what goes beyond -w; null: nothing does, or a file.
  Medium* spill_medium_of(Medium& medium);
  // Of the emulated media that a query over `medium` is charged for, each once.
  std::vector<EmulatedMeter*> meters_of(Medium& medium);
  // Tells each meter whether queries over this medium also read host memory, which is free.
  void tell_meters(Medium& medium);

  // Proves where the memory lies in which results of queries over `medium` are built, and that
  // other ranks' bytes lie where they should. Errors: Medium::verify_placement()'s.
  Result<PlacementProof> verify_results(Medium& medium);
  // Likewise of what went beyond -w, by this process; nothing: no medium takes it.
  Result<std::optional<PlacementProof>> verify_spill(Medium& medium);

 private:
  Session() = default;

  static Result<std::unique_ptr<Session>> open_alone(SessionOptions options);
  Prefetcher& prefetcher_of(Medium& medium);
  // Makes what the rule says. Errors: kUsage, kData, naming --on-limit.
  Status make_spill();
  // Options of further media, which share the meter of the results' and the spill's.
  MediumOptions media_beside_results() const;
  // The part of `medium` that is the same emulated device as `own`, or `own`.
  static Medium& same_device(Medium& medium, Medium& own);
  // Calibrates this host once, if a medium of this name is to be emulated.
  Status calibrate_for(const std::string& medium);
  // Counts the bytes of the database's column files, once, if this near cache is a share of them.
  Status count_data_for(const MediumSpec& word);

  SessionOptions options_;
  OnePool pools_;
  std::shared_ptr<Database> database_;
  std::unique_ptr<SharedPartitions> ranks_;
  std::unique_ptr<RankCommands> commands_;  // on rank 0 of several
  std::vector<double> clock_offsets_ms_;    // by rank, less rank 0's
  std::unique_ptr<Medium> result_medium_;
  std::string last_medium_note_;  // of the last placement's medium
  std::set<std::string> printed_table_notes_;
  std::unique_ptr<std::pmr::memory_resource> spill_file_;
  std::unique_ptr<Medium> spill_medium_;
  bool calibrated_ = false;

  // The prefetcher of the store that was last read ahead.
  struct ReadAhead {
    explicit ReadAhead(std::shared_ptr<Store> of, std::span<const int> cpus)
        : store(std::move(of)), prefetcher(*store, cpus) {}
    std::shared_ptr<Store> store;
    Prefetcher prefetcher;
  };
  std::unique_ptr<ReadAhead> read_ahead_;
  std::string read_ahead_note_;  // said last
};

}  // namespace hdbench::bench
