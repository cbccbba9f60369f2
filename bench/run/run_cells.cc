#include "bench/run/run_cells.h"

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/run/column_needs.h"
#include "bench/run/matrix_run.h"

namespace hdbench::bench {
namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_lines(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& line : from) add_once(to, line);
}

void merge_context(RunContext& all, const RunContext& part) {
  const DatasetContext& dataset = part.datasets.front();
  const auto known = std::find_if(all.datasets.begin(), all.datasets.end(),
                                  [&](const auto& one) { return one.name == dataset.name; });
  if (known == all.datasets.end()) {
    all.datasets.push_back(dataset);
  } else {
    if (known->table_rows.empty()) known->table_rows = dataset.table_rows;
    merge_needs(known->columns, dataset.columns);
  }
  for (const auto& profile : part.profiles) {
    const auto end = all.profiles.end();
    if (std::find(all.profiles.begin(), end, profile) == end) all.profiles.push_back(profile);
  }
  append_lines(all.media_without_latency, part.media_without_latency);
  append_lines(all.left_out, part.left_out);
  append_lines(all.host_limits, part.host_limits);
  append_lines(all.codes_saved, part.codes_saved);
  append(all.ceilings.placements, part.ceilings.placements);
  add_rounds(all.ceilings.memory, part.ceilings.memory);
  if (!all.ceilings.device.known()) all.ceilings.device = part.ceilings.device;
  if (part.ceilings.scratch_device) all.ceilings.scratch_device = part.ceilings.scratch_device;
  if (part.peer_memory) all.peer_memory = part.peer_memory;
  if (!all.available_before_bytes) all.available_before_bytes = part.available_before_bytes;
  LowestMemory lowest;
  lowest.take(all.available_lowest_bytes);
  lowest.take(part.available_lowest_bytes);
  all.available_lowest_bytes = lowest.bytes();
}

}  // namespace

void merge(RunOutcome& all, const RunOutcome& part) {
  merge_context(all.context, part.context);
  append(all.cells, part.cells);
  append(all.peer_cells, part.peer_cells);
  append_lines(all.near_cache_notes, part.near_cache_notes);
  all.other_load.add(part.other_load);
  all.throttling.add(part.throttling);
}

Status run_schedule(const std::vector<MatrixRun*>& runs, std::size_t reloads,
                    std::optional<double> budget_s) {
  struct Step {
    MatrixRun* run;
    std::size_t placement;
    std::size_t reload;
  };
  const auto begin = TimeBudget::Clock::now();
  std::vector<Step> schedule;
  std::vector<double> estimates;
  for (std::size_t reload = 0; reload < reloads; ++reload) {
    for (MatrixRun* const run : runs) {
      for (std::size_t placement = 0; placement < run->placement_count(); ++placement) {
        schedule.push_back({run, placement, reload});
        estimates.push_back(run->estimate_s(placement, reload));
      }
    }
  }
  TimeBudget budget(std::move(estimates), budget_s, begin);
  for (std::size_t part = 0; part < schedule.size(); ++part) {
    const auto& [run, placement, reload] = schedule[part];
    // A placement that failed before gives its share of the budget to the others.
    if (run->is_bad(placement)) budget.drop(part);
    budget.begin_part(part, TimeBudget::Clock::now());
    HDB_TRY(run->load_and_run(placement, reload, budget));
  }
  Status status = ok_status();
  for (MatrixRun* const run : runs) {
    const Status ended = run->end();
    if (status.ok()) status = ended;
  }
  return status;
}

RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const RunRequest& request) {
  MatrixRun run(session, queries, request);
  Status status = run.list();
  if (status.ok()) status = run.begin();
  if (status.ok()) status = run_schedule({&run}, request.reloads, std::nullopt);
  RunOutcome outcome = run.outcome();
  if (!status.ok()) outcome.error = status.error();
  return outcome;
}

}  // namespace hdbench::bench
