#include "bench/run/run_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "bench/machine/host.h"
#include "bench/machine/scratch_device.h"
#include "bench/run/codes_saving.h"
#include "bench/run/own_cells.h"
#include "bench/run/placement_list.h"
#include "bench/run/placement_notes.h"
#include "bench/run/placement_rounds.h"
#include "bench/run/resumed_cells.h"
#include "bench/run/time_budget.h"
#include "pmem/emulated_medium.h"
#include "pmem/nvme_medium.h"

namespace hdbench {
namespace {

std::size_t ceiling_bytes(const Session& session, const Host& host) {
  const std::size_t asked = session.options().ceiling_bytes;
  return asked != 0 ? asked : probe_bytes(host);
}

// However many media have it.
void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

void keep_run(std::vector<CellResult>& cells, std::vector<CellResult>& kept) {
  for (CellResult& cell : cells) {
    if (!cell.real_ms.empty() || cell.error) kept.push_back(std::move(cell));
  }
}

class MatrixRun {
 public:
  MatrixRun(Session& session, const std::vector<ListedQuery>& queries, const RunRequest& request)
      : session_(session),
        queries_(queries),
        request_(request),
        lists_(request.lists),
        host_(read_host(session.pools().all_threads())),
        ceilings_(new_rounds()) {}

  RunOutcome run() {
    const Status status = run_all();
    if (!status.ok()) outcome_.error = status.error();
    take_totals();
    say_lowest();
    return std::move(outcome_);
  }

 private:
  Status run_all() {
    HDB_ASSIGN(PlacementList list, list_placements(session_, queries_, lists_));
    for (const std::string& line : list.left_out) leave_out(line);
    outcome_.available_before_bytes = available_memory();
    HDB_ASSIGN(const std::uint64_t table_bytes, flat_bytes(session_, queries_));
    HDB_TRY(plan_for_peers(table_bytes));
    HDB_TRY(take_resumed(list.placements));
    const auto& placements = list.placements;
    const bool cold = std::any_of(placements.begin(), placements.end(),
                                  [](const auto& one) { return one.has_cold(); });
    const bool reads_scratch = cold && has_scratch_cells(placements);
    TimeBudget budget = budget_of(placements, table_bytes);
    if (cold) HDB_TRY(look_at_devices(reads_scratch));
    for (std::size_t at = 0; at < placements.size(); ++at) {
      budget.begin_part(at, TimeBudget::Clock::now());
      const std::string title =
          fmt::format("{}/{} {}", at + 1, placements.size(), placements[at].title());
      const Status status = run_placement(placements[at], title, budget);
      if (!status.ok()) HDB_TRY(go_on_after(status.error(), placements[at]));
      keep_so_far();
    }
    if (cold) HDB_TRY(look_at_devices(reads_scratch));
    return failed_ ? Status(*failed_) : ok_status();
  }

  // Bad data on one placement (a flat table needs every file) is no reason not to run the others:
  // it ends the run when they are done.
  Status go_on_after(const Error& error, const PlannedPlacement& placement) {
    if (error.kind != ErrorKind::kData || *session_.options().stop) return error;
    leave_out(fmt::format("{}: {}", placement.title(), error.message));
    if (!failed_) failed_ = error;
    return ok_status();
  }

  TimeBudget budget_of(const std::vector<PlannedPlacement>& placements,
                       std::uint64_t table_bytes) const {
    std::vector<double> estimates;
    for (const PlannedPlacement& placement : placements) {
      estimates.push_back(
          estimate_of(placement, queries_.size(), table_bytes, lists_, request_.repetitions));
    }
    return TimeBudget(std::move(estimates), request_.budget_s, TimeBudget::Clock::now(),
                      request_.later_s);
  }

  // What an earlier sitting has finished leaves the list of what is to be run.
  Status take_resumed(std::vector<PlannedPlacement>& placements) {
    if (request_.resumed == nullptr) return ok_status();
    std::vector<PlannedPlacement> left;
    for (PlannedPlacement& placement : placements) {
      auto finished = finished_placement(*request_.resumed, placement, queries_, request_.filter);
      if (!finished) {
        left.push_back(std::move(placement));
        continue;
      }
      fmt::print(stderr, "resume: {} is there\n", placement.title());
      outcome_.ceilings.placements.push_back(finished->ceilings);
      for (CellResult& cell : finished->cells) {
        if (cell.checksum) HDB_TRY(books_.ledger.add(cell.query, cell.name(), *cell.checksum));
        outcome_.cells.push_back(std::move(cell));
      }
      for (CellResult& cell : finished->peer_cells) {
        outcome_.peer_cells.push_back(std::move(cell));
      }
    }
    placements = std::move(left);
    take_notes(request_.resumed->context);
    return ok_status();
  }

  void take_notes(const RunContext& before) {
    outcome_.ceilings.device = before.ceilings.device;
    outcome_.ceilings.scratch_device = before.ceilings.scratch_device;
    for (const std::string& line : before.codes_saved) add_once(outcome_.codes_saved, line);
    for (const std::string& line : before.host_floors) add_once(outcome_.host_floors, line);
    for (const std::string& line : before.left_out) add_once(outcome_.left_out, line);
    for (const DatasetContext& dataset : before.datasets) {
      if (dataset.name == lists_.dataset) outcome_.table_rows = dataset.table_rows;
    }
  }

  Status plan_for_peers(std::uint64_t table_bytes) {
    const PeerOptions& peers = request_.peers;
    if (peers.engines.empty()) return ok_status();
    PeerMemory memory;
    memory.table_bytes = table_bytes;
    HDB_ASSIGN(memory.plan,
               plan_peers({peers.engines, lists_.threads.size(), memory.table_bytes,
                           2 * ceiling_bytes(session_, host_), request_.repetitions.least},
                          outcome_.available_before_bytes));
    fmt::print(stderr, "peers: {}\n", to_text(memory.plan));
    outcome_.peer_memory = std::move(memory);
    return ok_status();
  }

  void say_lowest() const {
    const auto& lowest = outcome_.available_lowest_bytes;
    if (!outcome_.peer_memory || !lowest) return;
    fmt::print(stderr, "peers: {:.1f} GB of memory were available at the lowest\n",
               static_cast<double>(*lowest) / 1e9);
  }

  // On a disk, flat tables and narrowed columns are scratch files.
  static bool has_scratch_cells(const std::vector<PlannedPlacement>& placements) {
    return std::any_of(placements.begin(), placements.end(), [](const PlannedPlacement& one) {
      return one.has_cache && (one.layout == Layout::kFlat || one.codes == Codes::kNarrow);
    });
  }

  Result<std::vector<std::filesystem::path>> column_files() const {
    std::vector<std::filesystem::path> files;
    for (const std::string& name : tables_of(queries_)) {
      HDB_ASSIGN(const auto of_table, session_.database().column_files(name));
      files.insert(files.end(), of_table.begin(), of_table.end());
    }
    return files;
  }

  // Of the database's device, beside cold cells; nothing where theirs is another.
  Result<std::function<void()>> device_looks(const PlannedPlacement& planned,
                                             DeviceRead& sequential) const {
    const bool reads_scratch = planned.layout == Layout::kFlat || planned.codes == Codes::kNarrow;
    const bool is_elsewhere = reads_scratch && outcome_.ceilings.scratch_device;
    if (!planned.has_cold() || is_elsewhere || !outcome_.ceilings.device.known()) {
      return std::function<void()>();
    }
    HDB_ASSIGN(std::vector<std::filesystem::path> files, column_files());
    // Other blocks than the placement before: those may sit in a cache below the kernel.
    constexpr std::size_t kApart = 1021;
    const std::size_t first = outcome_.ceilings.placements.size() * kApart;
    return std::function<void()>([files = std::move(files), first, &sequential] {
      measure_device_round(files, first, sequential);
    });
  }

  // Before the first cell and after the last one: nothing is held then.
  Status look_at_devices(bool reads_scratch) {
    HDB_ASSIGN(const std::vector<std::filesystem::path> files, column_files());
    measure_device(files, outcome_.ceilings.device);
    if (!reads_scratch) return ok_status();
    const std::filesystem::path directory = scratch_dir_of(session_.options().media);
    if (!is_other_device(directory, files)) return ok_status();
    auto& scratch = outcome_.ceilings.scratch_device;
    if (!scratch) scratch.emplace();
    measure_scratch_device(directory, *scratch);
    return ok_status();
  }

  Status run_placement(const PlannedPlacement& planned, const std::string& title,
                       const TimeBudget& budget) {
    if (*session_.options().stop) return usage_error("interrupted");
    const auto& [medium, layout, codes, has_cache, settings] = planned;
    session_.release_read_ahead();  // of the placement before
    HDB_ASSIGN(const std::unique_ptr<TablePlacement> placement,
               session_.place(tables_of(queries_), medium, layout, codes));
    HDB_ASSIGN(const auto plans, bind_all(queries_, *placement));
    HDB_TRY(session_.map_needed(queries_, plans, *placement));
    note(*placement, plans);

    OwnCells own(session_, queries_, plans, *placement, settings, request_.filter);
    PeerCells peers(
        has_peers(planned) ? request_.peers : PeerOptions{}, session_.options().database,
        lists_.threads, queries_, *session_.options().stop,
        outcome_.peer_memory ? outcome_.peer_memory->plan.scheme : PeerScheme::kTogether);
    CeilingRounds ceilings = new_rounds();
    PlacementCeilings of_placement{medium, layout, codes, {}, lists_.dataset};
    HDB_ASSIGN(auto look_at_device, device_looks(planned, of_placement.device_sequential));
    const Status status =
        run_rounds({title, request_.repetitions, lists_.threads, request_.order_seed, budget},
                   {session_.pools(), ceilings, own, peers, books_, std::move(look_at_device)});
    ceilings_.add(ceilings);
    of_placement.memory = ceilings.ceilings();
    of_placement.finished = status.ok();
    outcome_.ceilings.placements.push_back(std::move(of_placement));
    keep_run(own.cells(), outcome_.cells);
    keep_run(peers.cells(), outcome_.peer_cells);
    for (const std::string& line : peers.left_out()) leave_out(line);
    if (outcome_.peer_memory) keep_memory(peers);
    return status.ok() ? peers.same_results() : status;
  }

  void take_totals() {
    outcome_.ceilings.memory = ceilings_.ceilings();
    if (outcome_.ceilings.memory.by_threads.empty() && request_.resumed != nullptr) {
      outcome_.ceilings.memory = request_.resumed->context.ceilings.memory;
    }
    outcome_.available_lowest_bytes = books_.memory.bytes();
    outcome_.other_load = books_.load.sum();
  }

  void keep_so_far() {
    take_totals();
    if (request_.keep) request_.keep(outcome_);
  }

  void keep_memory(const PeerCells& peers) {
    books_.memory.take(peers.lowest().bytes());
    for (const PeerWorkerMemory& worker : peers.memory()) {
      outcome_.peer_memory->workers.push_back(worker);
    }
  }

  CeilingRounds new_rounds() const {
    return CeilingRounds(ceiling_bytes(session_, host_), last_level_bytes(host_));
  }

  // Once a run: beside hdbench's first dram/flat cells.
  bool has_peers(const PlannedPlacement& placement) const {
    return placement.medium == "dram" && placement.layout == Layout::kFlat &&
           placement.codes == lists_.codes.front();
  }

  void note(TablePlacement& placement, const std::map<int, Plan>& plans) {
    if (outcome_.table_rows.empty()) outcome_.table_rows = rows_of_tables(queries_, placement);
    for (const std::string& line : saving_lines(queries_, plans, placement)) {
      add_once(outcome_.codes_saved, line);
    }
    for (Medium* const medium : placement.medium().parts()) {
      const EmulatedMedium* const emulated = as_emulated(*medium);
      if (emulated == nullptr) continue;
      for (const std::size_t threads : lists_.threads) {
        for (const std::string& line : emulated->floors(threads))
          add_once(outcome_.host_floors, medium->name() + ": " + line);
      }
    }
    for (const std::string& line : compressed_lines(queries_, plans, placement)) leave_out(line);
  }

  void leave_out(const std::string& line) { add_once(outcome_.left_out, line); }

  Session& session_;
  const std::vector<ListedQuery>& queries_;
  const RunRequest& request_;
  const AxisLists& lists_;
  Host host_;
  CeilingRounds ceilings_;  // of all placements
  RunBooks books_;
  RunOutcome outcome_;
  std::optional<Error> failed_;  // the first placement that could not be run
};

}  // namespace

RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const RunRequest& request) {
  return MatrixRun(session, queries, request).run();
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
