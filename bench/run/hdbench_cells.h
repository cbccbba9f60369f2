// hdbench's own cells on one placement: created once, then run a round at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/name_pattern.h"
#include "bench/kdb/kdb_steps.h"
#include "bench/machine/other_load.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/run/session.h"
#include "bench/run/table_placement.h"
#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "pmem/base/cgroup_limits.h"

namespace hdbench::bench {

// Timed rounds give figures; an untimed one comes before them.
enum class RoundKind { kUntimed, kTimed };

// Collected over all rounds of a run.
struct RunRecorder {
  ChecksumLedger ledger;
  LowestMemory memory;  // with each result still in hand
  OtherLoadWatch load;  // while a timed query runs, warm
  QuotaGroups quota;
  CpuThrottling throttling;  // while a timed query runs
  // Of each query that was counted, for kdb+'s memory; nothing: it could not be.
  std::map<std::pair<Layout, int>, std::optional<KdbSteps>> kdb_steps;
};

class HdbenchCells {
 public:
  using Show = std::function<void(std::size_t done, const std::string& cell)>;

  // Every query under every setting, setting by setting, but for those that the filter leaves out.
  // What is handed in must outlive this.
  HdbenchCells(Session& session, const std::vector<ListedQuery>& queries, const BoundQueries& bound,
               TablePlacement& placement, const std::vector<Setting>& settings,
               const NamePattern& filter = {});

  // Sets the repetitions of the cells that `known` knows by name, regardless of the rule.
  using Known = std::function<std::optional<std::size_t>(const std::string& name)>;
  void repeat_as(const Known& known);

  // From here on untimed runs of the same cell, for as long, come before each timed run of a warm
  // one: as the engines beside it have them.
  void warm_for(double seconds) { warm_for_ = std::chrono::duration<double>(seconds); }

  // The cells of a round: all without an error that need another repetition. In the untimed round,
  // cold cells run for the first setting only: it first-touches the heap, so that no timed run
  // includes that.
  std::vector<std::size_t> due(RoundKind kind, const RepetitionRule& rule) const;

  // Runs each of these cells once, in this order. Errors, which end the round: a result that
  // differs from other cells' (kMismatch), the limit under `--on-limit exit` (kLimit), an
  // interrupt, bad data.
  Status run_round(RoundKind kind, const std::vector<std::size_t>& order, RunRecorder& recorder,
                   const Show& show);

  // Gives back the memory that results have left, for who runs beside.
  void trim_results() { session_.trim_results(); }

  // Checks where the bytes lie, after the last round and once before the first timed run. If they
  // are not where the medium promises, every cell becomes 0N with the reason. Errors:
  // Medium::verify_placement()'s.
  Status verify_placement();

  std::vector<CellResult>& cells() { return cells_; }
  const std::vector<CellResult>& cells() const { return cells_; }

 private:
  bool wants_more(std::size_t cell, const RepetitionRule& rule) const;
  // Cold is made before every run; warm when the run before was not warm.
  Status prepare(CellResult& cell);
  Status warm(const CellResult& cell);
  // Runs the query, and counts how often a quota stopped it where that counts.
  Result<TimedRun> run_watched(bool counts, RunRecorder& recorder, CellResult& cell);
  // Counts the rows at the query's steps, where no cell of the query has, and the cell's need.
  void count_for_kdb(const TimedRun& run, RunRecorder& recorder, CellResult& cell);
  // A cell that the limit stops is 0N and no error.
  Status run_cell(RoundKind kind, RunRecorder& recorder, CellResult& cell);

  Session& session_;
  const BoundQueries& bound_;
  TablePlacement& placement_;
  std::vector<CellResult> cells_;
  std::vector<std::optional<std::size_t>> repetitions_;  // by cell: repeat_as()'s
  // What the medium was last made, and its proof.
  std::optional<Cache> prepared_;
  CacheProof proof_;
  bool is_placement_seen_ = false;
  std::chrono::duration<double> warm_for_{0};
};

}  // namespace hdbench::bench
