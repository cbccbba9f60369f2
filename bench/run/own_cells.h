// hdbench's own cells on one placement: made once, then run a round at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine/available_memory.h"
#include "bench/machine/other_load.h"
#include "bench/model/cell_result.h"
#include "bench/model/checksum_ledger.h"
#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/run/google_cells.h"
#include "bench/run/session.h"
#include "bench/run/table_placement.h"
#include "engine/base/result.h"
#include "engine/operator/plan.h"

namespace hdbench {

// Which rounds are figures: before the first of them comes one that is nobody's.
enum class RoundKind { kUntimed, kTimed };

// What all rounds of a run write into.
struct RunBooks {
  ChecksumLedger ledger;
  LowestMemory memory;  // with each result still in hand
  OtherLoadWatch load;  // while a timed query runs, warm
};

class OwnCells {
 public:
  using Show = std::function<void(std::size_t done, const std::string& cell)>;

  // Every query under every setting, setting by setting, but for those that the filter leaves out.
  // What is handed in must outlive this.
  OwnCells(Session& session, const std::vector<ListedQuery>& queries,
           const std::map<int, Plan>& plans, TablePlacement& placement,
           const std::vector<Setting>& settings, const CellFilter& filter = {});

  // How often the cells that it knows by their names are repeated, whatever the rule says.
  using Known = std::function<std::optional<std::size_t>(const std::string& name)>;
  void repeat_as(const Known& known);

  // The cells of a round: all without an error that want another repetition. Untimed, cold cells
  // are left out but for the first setting's: the first touch of the heap's pages is nobody's
  // figure.
  std::vector<std::size_t> due(RoundKind kind, const RepetitionRule& rule) const;

  // Each of these once, in this order, through Google Benchmark. Errors: a result that is not the
  // other cells' (kMismatch), the limit under `--on-limit exit` (kLimit), an interrupt, bad data.
  Status run_round(RoundKind kind, const std::vector<std::size_t>& order, RunBooks& books,
                   const Show& show);

  // After the last round, and once before the first timed run: where the bytes lie. Bytes that do
  // not lie where their medium promised make no figure: every cell becomes 0N with the reason.
  // Errors: Medium::verify_placement()'s.
  Status verify_placement();

  std::vector<CellResult>& cells() { return cells_; }
  const std::vector<CellResult>& cells() const { return cells_; }

 private:
  bool wants_more(std::size_t cell, const RepetitionRule& rule) const;
  // Cold is made before every run; warm when the run before was not warm.
  Status prepare(CellResult& cell);
  // Nothing: no figure, because it is 0N or the round is nobody's.
  Result<std::optional<CalledOnce>> run_cell(RoundKind kind, RunBooks& books, CellResult& cell);

  Session& session_;
  const std::vector<ListedQuery>& queries_;
  const std::map<int, Plan>& plans_;
  TablePlacement& placement_;
  std::vector<CellResult> cells_;
  std::vector<std::optional<std::size_t>> repetitions_;  // by cell: repeat_as()'s
  // What the medium was last made, and its proof.
  std::optional<Cache> prepared_;
  CacheProof proof_;
  bool is_placement_seen_ = false;
};

}  // namespace hdbench
