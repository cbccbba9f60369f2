#include "bench/run/matrix_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "bench/base/lines.h"
#include "bench/machine/host.h"
#include "bench/machine/scratch_device.h"
#include "bench/run/codes_saving.h"
#include "bench/run/placement_notes.h"
#include "bench/run/placement_rounds.h"
#include "bench/run/resumed_cells.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/media/nvme_medium.h"

namespace hdbench {
namespace {

// Distance between the seeds of two visits, so that their rounds have different orders.
constexpr std::uint64_t kSeeds = 1'000'000'007;

std::size_t ceiling_bytes(const Session& session, const Host& host) {
  const std::size_t asked = session.options().ceiling_bytes;
  return asked != 0 ? asked : probe_bytes(host);
}

bool was_run(const CellResult& cell) { return !cell.real_ms.empty() || cell.error; }

// On a disk, flat tables and narrowed columns are scratch files.
bool reads_scratch(const PlannedPlacement& placement) {
  return placement.layout == Layout::kFlat || placement.codes == Codes::kNarrow;
}

}  // namespace

MatrixRun::MatrixRun(Session& session, const std::vector<ListedQuery>& queries,
                     const RunRequest& request)
    : session_(session),
      queries_(queries),
      request_(request),
      lists_(request.lists),
      rule_(request.repetitions.of_visit(request.visits)),
      host_(read_host(session.pools().all_threads())) {
  take_totals();
}

Status MatrixRun::begin() {
  // All placements are known before any table is loaded; what cannot be run is reported at once.
  HDB_ASSIGN(PlacementList list, list_placements(session_, queries_, lists_));
  for (const std::string& line : list.left_out) leave_out(line);
  for (PlannedPlacement& planned : list.placements) {
    PlacementCeilings ceilings{planned.medium, planned.layout, planned.codes, {}, lists_.dataset};
    ceilings.finished = false;
    ceilings.visits = 0;
    ceilings.matrix = request_.matrix;
    placements_.push_back({std::move(planned), std::move(ceilings)});
  }
  outcome_.available_before_bytes = available_memory();
  HDB_ASSIGN(table_bytes_, flat_bytes(session_, queries_));
  // Peers are planned by available memory, so before the first table is loaded. Then finished
  // visits are taken over.
  HDB_TRY(plan_for_peers());
  HDB_TRY(take_resumed());
  for (const Visited& placement : placements_) {
    if (placement.ceilings.finished || !placement.planned.has_cold()) continue;
    // Devices are measured only if cold cells remain to be run.
    has_cold_ = true;
    if (placement.planned.has_cache && reads_scratch(placement.planned)) reads_scratch_ = true;
  }
  return has_cold_ ? look_at_devices() : ok_status();
}

std::vector<double> MatrixRun::estimates_s(std::size_t visit) const {
  std::vector<double> estimates;
  for (const Visited& placement : placements_) {
    const bool is_there = placement.ceilings.visits > visit;
    estimates.push_back(
        is_there ? 0
                 : estimate_of(placement.planned, queries_.size(), table_bytes_, lists_, rule_));
  }
  return estimates;
}

Status MatrixRun::visit(std::size_t visit, TimeBudget& budget, std::size_t first_part) {
  for (std::size_t at = 0; at < placements_.size(); ++at) {
    Visited& placement = placements_[at];
    // A placement that failed before keeps its error and gives its share of the budget to the
    // others.
    if (placement.is_bad) budget.drop(first_part + at);
    budget.begin_part(first_part + at, TimeBudget::Clock::now());
    if (placement.is_bad || placement.ceilings.visits > visit) continue;
    const Status status = visit_placement(at, visit, budget);
    take_totals();
    if (!status.ok()) HDB_TRY(go_on_after(status.error(), placement));
    // Writes what is there, so that an interrupted run can be resumed.
    if (request_.keep) request_.keep();
  }
  return ok_status();
}

Status MatrixRun::end() {
  if (has_cold_) HDB_TRY(look_at_devices());
  say_lowest();
  return failed_ ? Status(*failed_) : ok_status();
}

Status MatrixRun::go_on_after(const Error& error, Visited& placement) {
  // Bad data or an absent medium ends this placement only; everything else ends the run.
  if (error.kind != ErrorKind::kData || *session_.options().stop) return error;
  leave_out(fmt::format("{}: {}", placement.planned.title(), error.message));
  placement.is_bad = true;
  if (!failed_) failed_ = error;
  return ok_status();
}

Status MatrixRun::take_resumed() {
  if (request_.resumed == nullptr) return ok_status();
  for (Visited& placement : placements_) {
    auto saved = saved_visits(*request_.resumed, request_.matrix, placement.planned, queries_,
                              request_.filter);
    if (!saved) continue;
    placement.ceilings = std::move(saved->ceilings);
    placement.is_begun = true;
    const std::size_t visits = placement.ceilings.visits;
    fmt::print(stderr, "resume: {} is there{}\n", placement.planned.title(),
               placement.ceilings.finished
                   ? ""
                   : fmt::format(", {} of its {} visits", visits, request_.visits));
    for (CellResult& cell : saved->cells) {
      // Resumed results take part in the comparison of checksums.
      if (cell.checksum) HDB_TRY(books_.ledger.add(cell.query, cell.name(), *cell.checksum));
      kept_.emplace(cell.name(), outcome_.cells.size());
      outcome_.cells.push_back(std::move(cell));
    }
    for (CellResult& cell : saved->peer_cells) outcome_.peer_cells.push_back(std::move(cell));
  }
  take_notes(request_.resumed->context);
  take_totals();
  return ok_status();
}

void MatrixRun::take_notes(const RunContext& before) {
  outcome_.ceilings.device = before.ceilings.device;
  outcome_.ceilings.scratch_device = before.ceilings.scratch_device;
  for (const std::string& line : before.codes_saved) add_once(outcome_.codes_saved, line);
  for (const std::string& line : before.host_floors) add_once(outcome_.host_floors, line);
  for (const std::string& line : before.left_out) add_once(outcome_.left_out, line);
  for (const DatasetContext& dataset : before.datasets) {
    if (dataset.name == lists_.dataset) outcome_.table_rows = dataset.table_rows;
  }
}

Status MatrixRun::plan_for_peers() {
  const PeerOptions& peers = request_.peers;
  if (peers.engines.empty()) return ok_status();
  PeerMemory memory;
  memory.table_bytes = table_bytes_;
  HDB_ASSIGN(memory.plan,
             plan_peers({peers.engines, lists_.threads.size(), memory.table_bytes,
                         2 * ceiling_bytes(session_, host_), request_.repetitions.least},
                        outcome_.available_before_bytes));
  fmt::print(stderr, "peers: {}\n", to_text(memory.plan));
  outcome_.peer_memory = std::move(memory);
  return ok_status();
}

void MatrixRun::say_lowest() const {
  const auto& lowest = outcome_.available_lowest_bytes;
  if (!outcome_.peer_memory || !lowest) return;
  fmt::print(stderr, "peers: {:.1f} GB of memory were available at the lowest\n",
             static_cast<double>(*lowest) / 1e9);
}

Result<std::vector<std::filesystem::path>> MatrixRun::column_files() const {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : tables_of(queries_)) {
    HDB_ASSIGN(const auto of_table, session_.database().column_files(name));
    files.insert(files.end(), of_table.begin(), of_table.end());
  }
  return files;
}

// Returns a function that measures the database's device in each round, or an empty one if there
// are no cold cells or they use another device.
Result<std::function<void()>> MatrixRun::device_looks(std::size_t at, std::size_t visit,
                                                      DeviceRead& sequential) const {
  const PlannedPlacement& planned = placements_[at].planned;
  const bool is_elsewhere = reads_scratch(planned) && outcome_.ceilings.scratch_device;
  if (!planned.has_cold() || is_elsewhere || !outcome_.ceilings.device.known()) {
    return std::function<void()>();
  }
  HDB_ASSIGN(std::vector<std::filesystem::path> files, column_files());
  // Begins at other blocks than the previous placement's: those may be in a cache below the kernel.
  constexpr std::size_t kApart = 1021;
  const std::size_t first = (visit * placements_.size() + at) * kApart;
  return std::function<void()>([files = std::move(files), first, &sequential] {
    measure_device_round(files, first, sequential);
  });
}

// Measures the devices before the first cell and after the last one, when no mapping holds their
// pages.
Status MatrixRun::look_at_devices() {
  HDB_ASSIGN(const std::vector<std::filesystem::path> files, column_files());
  measure_device(files, outcome_.ceilings.device);
  if (!reads_scratch_) return ok_status();
  const std::filesystem::path directory = scratch_dir_of(session_.options().media);
  if (!is_other_device(directory, files)) return ok_status();
  auto& scratch = outcome_.ceilings.scratch_device;
  if (!scratch) scratch.emplace();
  measure_scratch_device(directory, *scratch);
  return ok_status();
}

std::string MatrixRun::title_of(std::size_t at, std::size_t visit) const {
  const std::string of_visits =
      request_.visits > 1 ? fmt::format("visit {}/{}, ", visit + 1, request_.visits) : "";
  return fmt::format("{}{}/{} {}", of_visits, at + 1, placements_.size(),
                     placements_[at].planned.title());
}

Status MatrixRun::visit_placement(std::size_t at, std::size_t visit, const TimeBudget& budget) {
  if (*session_.options().stop) return usage_error("interrupted");
  Visited& placement = placements_[at];
  const auto& [medium, layout, codes, has_cache, settings] = placement.planned;
  session_.release_read_ahead();  // of the placement before
  // Later visits get new memory for results, so that intervals include the effect of its pages.
  if (visit > 0) HDB_TRY(session_.renew_results());
  HDB_ASSIGN(const std::unique_ptr<TablePlacement> placed,
             session_.place(tables_of(queries_), medium, layout, codes));
  HDB_ASSIGN(const auto plans, bind_all(queries_, *placed));
  HDB_TRY(session_.map_needed(queries_, plans, *placed));
  note(*placed, plans);

  OwnCells own(session_, queries_, plans, *placed, settings, request_.filter);
  // Every visit repeats a cell as often as the first one did, so that all visits have the same
  // weight.
  own.repeat_as([&](const std::string& name) -> std::optional<std::size_t> {
    const auto known = kept_.find(name);
    if (known == kept_.end() || outcome_.cells[known->second].visits.empty()) return std::nullopt;
    return outcome_.cells[known->second].visits.front();
  });
  PeerCells peers(has_peers(placement.planned) ? request_.peers : PeerOptions{},
                  session_.options().database, lists_.threads, queries_, *session_.options().stop,
                  outcome_.peer_memory ? outcome_.peer_memory->plan.scheme : PeerScheme::kTogether);
  CeilingRounds ceilings(ceiling_bytes(session_, host_), last_level_bytes(host_));
  DeviceRead device = placement.ceilings.device_sequential;
  HDB_ASSIGN(auto look_at_device, device_looks(at, visit, device));
  const Status status = run_rounds(
      {title_of(at, visit), rule_, lists_.threads, request_.order_seed + visit * kSeeds, budget},
      {session_.pools(), ceilings, own, peers, books_, std::move(look_at_device)});
  placement.is_begun = true;
  // A visit that was cut short adds no ceilings unless it is the first, as a resumed run repeats
  // it.
  if (status.ok() || placement.ceilings.visits == 0) {
    add_rounds(placement.ceilings.memory, ceilings.ceilings());
    placement.ceilings.device_sequential = std::move(device);
  }
  if (status.ok()) ++placement.ceilings.visits;
  placement.ceilings.finished = placement.ceilings.visits == request_.visits;
  keep_cells(own.cells(), visit);
  std::copy_if(peers.cells().begin(), peers.cells().end(), std::back_inserter(outcome_.peer_cells),
               was_run);
  for (const std::string& line : peers.left_out()) leave_out(line);
  if (outcome_.peer_memory) keep_memory(peers);
  return status.ok() ? peers.same_results() : status;
}

void MatrixRun::take_totals() {
  outcome_.ceilings.placements.clear();
  outcome_.ceilings.memory = CeilingRounds(ceiling_bytes(session_, host_)).ceilings();
  for (const Visited& placement : placements_) {
    if (!placement.is_begun) continue;
    outcome_.ceilings.placements.push_back(placement.ceilings);
    add_rounds(outcome_.ceilings.memory, placement.ceilings.memory);
  }
  outcome_.available_lowest_bytes = books_.memory.bytes();
  outcome_.other_load = books_.load.sum();
}

// Adds a visit's cells to those of earlier visits.
void MatrixRun::keep_cells(const std::vector<CellResult>& cells, std::size_t visit) {
  for (const CellResult& cell : cells) {
    if (!was_run(cell)) continue;
    const auto [known, is_new] = kept_.try_emplace(cell.name(), outcome_.cells.size());
    if (is_new) outcome_.cells.emplace_back();
    add_visit(outcome_.cells[known->second], cell, visit);
  }
}

void MatrixRun::keep_memory(const PeerCells& peers) {
  books_.memory.take(peers.lowest().bytes());
  for (const PeerWorkerMemory& worker : peers.memory()) {
    outcome_.peer_memory->workers.push_back(worker);
  }
}

// Peers run beside hdbench's first dram/flat cells.
bool MatrixRun::has_peers(const PlannedPlacement& placement) const {
  return placement.medium == "dram" && placement.layout == Layout::kFlat &&
         placement.codes == lists_.codes.front();
}

void MatrixRun::note(TablePlacement& placement, const std::map<int, Plan>& plans) {
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

void MatrixRun::leave_out(const std::string& line) { add_once(outcome_.left_out, line); }

}  // namespace hdbench
