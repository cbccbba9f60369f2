// Runs a matrix over one database, one visit at a time.
//
// A visit loads each placement (medium, layout, code width) anew and runs its cells in rounds
// (placement_rounds.h). Repetitions within one load share its pages and its minutes, so a run of
// several matrices visits all of them before any is visited again.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/machine/host.h"
#include "bench/model/time_budget.h"
#include "bench/run/own_cells.h"
#include "bench/run/placement_list.h"
#include "bench/run/run_cells.h"
#include "engine/base/result.h"

namespace hdbench {

class MatrixRun {
 public:
  // What is handed in must outlive this.
  MatrixRun(Session& session, const std::vector<ListedQuery>& queries, const RunRequest& request);

  // Once, first: finds what there is to run, and looks at the devices. Errors: list_placements()'s,
  // no room for peers, a checksum of an earlier sitting that is not the others'.
  Status begin();

  // Seconds that each placement will take in this visit, roughly: the parts of a TimeBudget. 0: an
  // earlier sitting has made it.
  std::vector<double> estimates_s(std::size_t visit) const;

  // Each placement once. The budget's parts from first_part on are this visit's. Errors: what ended
  // it. Bad data on one placement (a flat table needs every file) does not: the others are run, and
  // end() gives that error.
  Status visit(std::size_t visit, TimeBudget& budget, std::size_t first_part);

  // Once, last, where nothing has ended the run before.
  Status end();

  // What there is so far; valid until the next call of any of these.
  const RunOutcome& outcome() const { return outcome_; }

 private:
  // One medium, layout and form of codes, over all visits.
  struct Visited {
    PlannedPlacement planned;
    PlacementCeilings ceilings;
    bool is_begun = false;
    bool is_bad = false;  // it cannot be loaded
  };

  Status take_resumed();
  void take_notes(const RunContext& before);
  Status plan_for_peers();
  void say_lowest() const;
  Result<std::vector<std::filesystem::path>> column_files() const;
  Result<std::function<void()>> device_looks(std::size_t at, std::size_t visit,
                                             DeviceRead& sequential) const;
  Status look_at_devices();
  Status visit_placement(std::size_t at, std::size_t visit, const TimeBudget& budget);
  Status go_on_after(const Error& error, Visited& placement);
  std::string title_of(std::size_t at, std::size_t visit) const;
  bool has_peers(const PlannedPlacement& placement) const;
  void keep_cells(const std::vector<CellResult>& cells, std::size_t visit);
  void keep_memory(const PeerCells& peers);
  void note(TablePlacement& placement, const std::map<int, Plan>& plans);
  void leave_out(const std::string& line);
  void take_totals();

  Session& session_;
  const std::vector<ListedQuery>& queries_;
  const RunRequest& request_;
  const AxisLists& lists_;
  RepetitionRule rule_;  // of a visit
  Host host_;
  std::uint64_t table_bytes_ = 0;
  std::vector<Visited> placements_;
  bool has_cold_ = false;
  bool reads_scratch_ = false;                         // cold
  std::unordered_map<std::string, std::size_t> kept_;  // outcome_.cells by their names
  RunBooks books_;
  RunOutcome outcome_;
  std::optional<Error> failed_;  // the first placement that could not be run
};

}  // namespace hdbench
