#include "bench/run/run_cells.h"

#include "bench/run/matrix_run.h"
#include "bench/run/placement_list.h"

namespace hdbench {
namespace {

Status run_all(MatrixRun& run, std::size_t visits) {
  HDB_TRY(run.begin());
  std::vector<double> estimates;
  std::vector<std::size_t> first_parts;
  for (std::size_t visit = 0; visit < visits; ++visit) {
    first_parts.push_back(estimates.size());
    for (const double seconds : run.estimates_s(visit)) estimates.push_back(seconds);
  }
  TimeBudget budget(std::move(estimates), std::nullopt, TimeBudget::Clock::now());
  for (std::size_t visit = 0; visit < visits; ++visit) {
    HDB_TRY(run.visit(visit, budget, first_parts[visit]));
  }
  return run.end();
}

}  // namespace

RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const RunRequest& request) {
  MatrixRun run(session, queries, request);
  const Status status = run_all(run, request.visits);
  RunOutcome outcome = run.outcome();
  if (!status.ok()) outcome.error = status.error();
  return outcome;
}

Result<std::vector<std::string>> cell_names(Session& session,
                                            const std::vector<ListedQuery>& queries,
                                            const RunRequest& request) {
  HDB_ASSIGN(const PlacementList list, list_placements(session, queries, request.lists));
  std::vector<std::string> names;
  for (const PlannedPlacement& placement : list.placements) {
    for (const Setting& setting : placement.settings) {
      for (const ListedQuery& listed : queries) {
        const std::string name = query_label(listed.id) + "/" + setting_name(setting);
        if (request.filter.holds(name)) names.push_back(name);
      }
    }
  }
  return names;
}

}  // namespace hdbench
