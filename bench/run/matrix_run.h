// Runs a matrix over one database, a placement (medium, layout, code width) at a time.
//
// Each placement is loaded by itself, so that memory holds one of them, and used for all its cells;
// its rounds (placement_rounds.h) follow each load. Repetitions within one load share its pages and
// its minutes; a reload has others. All placements of all matrices are loaded once before any is
// reloaded. A query's result must be the same in each cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/name_pattern.h"
#include "bench/machine/host.h"
#include "bench/machine/other_load.h"
#include "bench/machine/preflight.h"
#include "bench/model/cell_ceiling.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/model/run_context.h"
#include "bench/model/time_budget.h"
#include "bench/peers/peer_cells.h"
#include "bench/results/results_json.h"
#include "bench/run/hdbench_cells.h"
#include "bench/run/job_ceilings.h"
#include "bench/run/matrix.h"
#include "bench/run/placement_users.h"
#include "bench/run/resumed_cells.h"
#include "bench/run/session.h"
#include "engine/base/result.h"
#include "pmem/base/cgroup_limits.h"

namespace hdbench::bench {

struct RunOutcome {
  // What cells share: here the databases, ceilings, notes and memory; Matrices (matrices.h) fills
  // in the rest.
  RunContext context;
  std::vector<CellResult> cells;  // hdbench's that were run, whatever ended the run
  std::vector<CellResult> peer_cells;
  std::vector<std::string> near_cache_notes;  // near_cache_lines() (placement_notes.h)
  OtherLoad other_load;                       // while timed queries ran, warm
  CpuThrottling throttling;                   // while timed queries ran
  // What ended the run before its last cell: bad data, a result that differs (kMismatch), the limit
  // under `--on-limit exit` (kLimit), Ctrl-C.
  std::optional<Error> error;
};

// One load of a placement, with its rounds, that has come to its end.
struct Visit {
  std::string title;  // "1/3 dram flat"
  std::size_t cells = 0;
  double seconds = 0;
  bool is_whole = false;  // false: an error cut it short, or the placement could not be loaded
};

// What holds for all matrices of a run.
struct RunRules {
  RepetitionRule repetitions;  // of all loads together; a cold cell is made cold before each one
  // How often each placement is loaded; its repetitions are shared between these. At least 1; with
  // peers, which are loaded once, 1.
  std::size_t reloads = 1;
  std::uint64_t order_seed = 1;
  NamePattern filter;
  PeerOptions peers;  // in the same repetitions as dram/flat
};

struct RunRequest : RunRules {
  AxisLists lists;
  UsersPlan users = {};           // after the rounds of a placement's first visit
  std::uint64_t cache_bytes = 0;  // last-level caches of all ranks' hosts; 0: this host's
  std::size_t matrix = 0;         // which of the experiment's this is
  // An earlier session's results of the same experiment: cells that it finished are taken from it,
  // checksums included.
  const SavedRun* resumed = nullptr;
  // Called after each timed round with the cells of its placement, and after each visit; outcome()
  // has them by then.
  std::function<void(const std::vector<CellResult>& cells)> keep_round;
  std::function<void(const Visit& visit)> keep;
};

class MatrixRun {
 public:
  // What is handed in must outlive this.
  MatrixRun(Session& session, const std::vector<ListedQuery>& queries, const RunRequest& request);

  // Once, first: finds what there is to run; nothing is loaded. Errors: list_placements()'s.
  Status list();
  // In the order in which they are made.
  std::vector<std::string> cell_names() const;
  // What there is to look at beforehand; the need is that of the last placement in memory.
  PreflightScope scope() const;

  // Once, then: takes what an earlier session has, and looks at the devices. Errors: no space for
  // peers, a checksum of an earlier session that is not the others'.
  Status begin();

  std::size_t placement_count() const { return placements_.size(); }
  // Whether this placement could not be loaded.
  bool is_bad(std::size_t placement) const { return placements_[placement].is_bad; }
  // Seconds that this load and its rounds will take, roughly. 0: an earlier session has made it. Of
  // a visit that was cut short, as if all its cells were to be run.
  double estimate_s(std::size_t placement, std::size_t reload) const;

  // Loads the placement and runs its rounds, unless it is bad or an earlier session has done that.
  // Errors: what ended it. Bad data (a flat table needs every file) is none: end() gives that
  // error.
  Status load_and_run(std::size_t placement, std::size_t reload, const TimeBudget& budget);

  // Once, last, where nothing has ended the run before.
  Status end();

  // What there is so far; valid until the next call of any of these.
  const RunOutcome& outcome() const { return outcome_; }

 private:
  // One medium, layout and form of codes, over all its loads.
  struct Loaded {
    PlannedPlacement planned;
    PlacementCeilings ceilings;
    bool is_begun = false;
    bool is_bad = false;  // it cannot be loaded
    bool lacks_users =
        false;  // its cells are there from an earlier session, those of users are not
  };

  // An outcome's cell, and the visits of which it is finished; what else it has goes when it is
  // run.
  struct Kept {
    std::size_t at = 0;
    std::size_t visits = 0;
  };
  // A visit that is being made: what there was before it, and what gives the rest.
  struct Underway {
    std::size_t reload = 0;
    MemoryCeilings memory_before;
    // Of the cells that it runs: their finished visits.
    std::unordered_map<std::string, CellResult> cells_before;
    const HdbenchCells& own;
    const JobCeilings& ceilings;
    const DeviceRead& device;  // of the placement, these rounds included
  };

  void note_profile(const std::string& medium);
  Status take_resumed();
  Status take_placement(Loaded& placement, SavedPlacement saved);
  void take_notes(const RunContext& before);
  Status plan_for_peers();
  void say_lowest() const;
  Result<std::vector<std::filesystem::path>> column_files() const;
  Result<std::function<void()>> device_looks(std::size_t at, std::size_t reload,
                                             DeviceRead& sequential) const;
  Status look_at_devices();
  Status run_rounds_of(std::size_t at, std::size_t reload, const TimeBudget& budget,
                       std::size_t& cells_run);
  bool is_there(const Loaded& placement, std::size_t reload) const;
  Status run_users(const PlannedPlacement& planned, const BoundQueries& bound,
                   TablePlacement& placed, const TimeBudget& budget);
  Status go_on_after(const Error& error, Loaded& placement);
  std::string title_of(std::size_t at, std::size_t reload) const;
  bool has_peers(const PlannedPlacement& placement) const;
  bool is_finished(const std::string& cell, std::size_t reload) const;
  std::optional<std::size_t> repetitions_of(const std::string& cell, std::size_t reload) const;
  std::unordered_map<std::string, CellResult> finished_of(const std::vector<CellResult>& cells,
                                                          std::size_t reload) const;
  std::vector<CellResult> keep_rounds(Loaded& placement, const Underway& visit);
  void finish(Loaded& placement, const Underway& visit);
  std::uint64_t cache_bytes() const;
  void keep_ranks(const JobCeilings& ceilings, Medium& medium);
  void keep_memory(const PeerCells& peers);
  void note(TablePlacement& placement, const std::vector<ListedQuery>& queries,
            const BoundQueries& bound);
  void leave_out(const std::string& line);
  void take_totals();

  Session& session_;
  const std::vector<ListedQuery>& queries_;
  const RunRequest& request_;
  const AxisLists& lists_;
  const std::vector<std::size_t> threads_;
  RepetitionRule rule_;  // of a load
  Host host_;
  std::uint64_t table_bytes_ = 0;
  std::vector<Loaded> placements_;
  bool has_cold_ = false;
  bool reads_scratch_ = false;                  // cold
  std::unordered_map<std::string, Kept> kept_;  // outcome_.cells by their names
  RunRecorder recorder_;
  RunOutcome outcome_;
  PlacementUsers users_;         // adds to the outcome's cells
  std::optional<Error> failed_;  // the first placement that could not be run
};

// Runs the placements of all matrices, which have begun, as often as each is to be loaded. A
// placement that cannot be loaded ends the run when all others are done. No budget: no repetition
// is left out.
Status run_schedule(const std::vector<MatrixRun*>& runs, std::size_t reloads,
                    std::optional<double> budget_s);

}  // namespace hdbench::bench
