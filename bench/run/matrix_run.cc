#include "bench/run/matrix_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "bench/base/lines.h"
#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/machine/device_ceilings.h"
#include "bench/machine/host.h"
#include "bench/model/peer_plan.h"
#include "bench/run/needed_columns.h"
#include "bench/run/placement_notes.h"
#include "bench/run/placement_rounds.h"
#include "bench/run/unpack_rates.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/device_profile.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/media/nvme_medium.h"

namespace hdbench::bench {
namespace {

// Distance between the seeds of two loads, so that their rounds have different orders.
constexpr std::uint64_t kSeeds = 1'000'000'007;

std::size_t ceiling_bytes(const Session& session, const Host& host) {
  const std::size_t given = session.options().ceiling_bytes;
  return given != 0 ? given : probe_bytes(host);
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
      threads_(request.lists.threads()),
      rule_(request.repetitions.of_reload(request.reloads)),
      host_(read_host(session.pools().all_threads())),
      users_(session, request.users, request.filter, queries, outcome_.context.users) {
  const Database& database = session.database();
  outcome_.context.datasets = {
      {lists_.dataset, database.root().string(), database.partition_count(), {}}};
  for (const std::string& medium : lists_.of("medium")) note_profile(medium);
  note_profile(session.options().result_medium);
  note_profile(session.options().limit_rule.spill);
  for (const ColumnPlace& place : session.options().places) note_profile(place.medium);
  take_totals();
}

// Figures can be traced to what they were charged by. Media were made of these words by now.
void MatrixRun::note_profile(const std::string& medium) {
  const auto word = parse_medium_spec(medium);
  if (!word.ok() || word->profile.empty()) return;
  const auto profile = load_profile(word->profile);
  if (!profile.ok()) return;
  outcome_.context.profiles.emplace_back(word->profile, profile->digest);
  if (profile->kind == DeviceKind::kBlock && profile->latency.read_random_ns <= 0)
    add_once(outcome_.context.media_without_latency, medium);
}

Status MatrixRun::list() {
  HDB_ASSIGN(PlacementList list, list_placements(session_, queries_, lists_));
  for (const std::string& line : list.left_out) leave_out(line);
  for (PlannedPlacement& planned : list.placements) {
    PlacementCeilings ceilings{planned.medium, planned.layout,    planned.codes, {},
                               lists_.dataset, planned.compressed};
    ceilings.finished = false;
    ceilings.visits = 0;
    ceilings.matrix = request_.matrix;
    placements_.push_back({std::move(planned), std::move(ceilings)});
  }
  HDB_TRY(users_.begin());
  HDB_ASSIGN(table_bytes_, flat_bytes(session_.database(), tables_of(queries_)));
  return ok_status();
}

std::vector<std::string> MatrixRun::cell_names() const {
  std::vector<std::string> names;
  for (const Loaded& placement : placements_) {
    for (const Setting& setting : placement.planned.settings) {
      for (const ListedQuery& listed : queries_) {
        std::string name = query_label(listed.id) + "/" + setting_name(setting);
        if (request_.filter.chooses(name)) names.push_back(std::move(name));
      }
    }
    for (const UsersQuestion& one : users_.asked(placement.planned.settings))
      names.push_back(one.name());
  }
  return names;
}

PreflightScope MatrixRun::scope() const {
  PreflightScope scope;
  if (!threads_.empty()) scope.threads = *std::max_element(threads_.begin(), threads_.end());
  scope.table_bytes = table_bytes_;
  for (const Loaded& placement : placements_) {
    const PlannedPlacement& planned = placement.planned;
    if (!planned.has_cache)
      scope.need = {table_bytes_, fmt::format("the table on {}", planned.title())};
    if (planned.has_cold() && !is_emulated(planned.medium))
      scope.cold_paths.push_back(session_.database().root());
  }
  return scope;
}

Status MatrixRun::begin() {
  outcome_.context.available_before_bytes = available_memory();
  // Peers are planned by available memory, so before the first table is loaded. Then finished
  // loads are taken over.
  HDB_TRY(plan_for_peers());
  HDB_TRY(take_resumed());
  for (const Loaded& placement : placements_) {
    if (placement.ceilings.finished || !placement.planned.has_cold()) continue;
    if (session_.ranks() != nullptr) {
      leave_out("cache:cold: no ceiling of several ranks' devices: each reads its own");
      break;
    }
    // Devices are measured only if cold cells remain to be run.
    has_cold_ = true;
    if (placement.planned.has_cache && reads_scratch(placement.planned)) reads_scratch_ = true;
  }
  if (has_cold_) HDB_TRY(look_at_devices());
  session_.pools().release();
  return ok_status();
}

// Whether an earlier session has made this visit.
bool MatrixRun::is_there(const Loaded& placement, std::size_t reload) const {
  return placement.ceilings.visits > reload && !(placement.lacks_users && reload == 0);
}

double MatrixRun::estimate_s(std::size_t placement, std::size_t reload) const {
  if (is_there(placements_[placement], reload)) return 0;
  const PlannedPlacement& planned = placements_[placement].planned;
  const double alone = estimate_of(planned, queries_.size(), table_bytes_, lists_, rule_);
  if (reload != 0) return alone;
  return alone + users_.estimate_s(planned.settings);
}

Status MatrixRun::load_and_run(std::size_t at, std::size_t reload, const TimeBudget& budget) {
  Loaded& placement = placements_[at];
  if (placement.is_bad || is_there(placement, reload)) return ok_status();
  Visit visit{title_of(at, reload)};
  const auto begin = TimeBudget::Clock::now();
  const Status status = run_rounds_of(at, reload, budget, visit.cells);
  session_.pools().release();
  take_totals();
  if (!status.ok()) HDB_TRY(go_on_after(status.error(), placement));
  visit.is_whole = status.ok();
  visit.seconds = std::chrono::duration<double>(TimeBudget::Clock::now() - begin).count();
  // Writes what is there, so that an interrupted run can be resumed.
  if (request_.keep) request_.keep(visit);
  return ok_status();
}

Status MatrixRun::end() {
  if (has_cold_) HDB_TRY(look_at_devices());
  say_lowest();
  return failed_ ? Status(*failed_) : ok_status();
}

Status MatrixRun::go_on_after(const Error& error, Loaded& placement) {
  const bool exits =
      error.kind == ErrorKind::kLimit && session_.options().limit_rule.what == OnLimit::kExit;
  if (!ends_placement(error) || exits || *session_.options().stop) return error;
  leave_out(fmt::format("{}: {}", placement.planned.title(), error.message));
  placement.is_bad = true;
  if (!failed_) failed_ = error;
  return ok_status();
}

Status MatrixRun::take_resumed() {
  if (request_.resumed == nullptr) return ok_status();
  for (Loaded& placement : placements_) {
    const bool with_peers = has_peers(placement.planned) && !request_.peers.engines.empty();
    auto saved = saved_placement(*request_.resumed,
                                 {placement.planned, queries_, request_.filter, request_.matrix,
                                  request_.reloads, rule_.least, with_peers});
    if (saved) HDB_TRY(take_placement(placement, std::move(*saved)));
  }
  take_notes(request_.resumed->context);
  for (Loaded& placement : placements_) {
    const std::vector<Setting>& settings = placement.planned.settings;
    HDB_TRY(users_.take(settings, request_.resumed->context.users, recorder_.ledger));
    placement.lacks_users = !users_.missing(settings).empty();
    if (placement.lacks_users) placement.ceilings.finished = false;
  }
  take_totals();
  return ok_status();
}

Status MatrixRun::take_placement(Loaded& placement, SavedPlacement saved) {
  placement.ceilings = std::move(saved.ceilings);
  placement.is_begun = true;
  const std::size_t visits = placement.ceilings.visits;
  std::string part;
  if (!placement.ceilings.finished) {
    if (visits != 0) part = fmt::format(", {} of its {} visits", visits, request_.reloads);
    if (saved.cells_ahead != 0) {
      part += fmt::format("{} {} of {} cells{}", visits == 0 ? "," : " and", saved.cells_ahead,
                          saved.cells_planned, request_.reloads == 1 ? "" : " of the next");
    }
  }
  const bool is_there = placement.ceilings.finished || !part.empty();
  tell(fmt::format("resume: {} {}{}", placement.planned.title(),
                   is_there ? "is there" : "was cut short: its cells are measured anew", part));
  for (SavedCell& one : saved.cells) {
    CellResult& cell = one.cell;
    // Resumed results take part in the comparison of checksums.
    if (cell.checksum) HDB_TRY(recorder_.ledger.add(cell.query, cell.name(), *cell.checksum));
    kept_.emplace(cell.name(), Kept{outcome_.cells.size(), one.visits});
    outcome_.cells.push_back(std::move(cell));
  }
  for (CellResult& cell : saved.peer_cells) outcome_.peer_cells.push_back(std::move(cell));
  return ok_status();
}

void MatrixRun::take_notes(const RunContext& before) {
  outcome_.context.ceilings.device = before.ceilings.device;
  outcome_.context.ceilings.scratch_device = before.ceilings.scratch_device;
  for (const std::string& line : before.codes_saved) add_once(outcome_.context.codes_saved, line);
  for (const std::string& line : before.host_limits) add_once(outcome_.context.host_limits, line);
  for (const PreflightNote& one : before.preflight) {
    if (one.name == kNearCacheNote) add_once(outcome_.near_cache_notes, one.text);
  }
  for (const std::string& line : before.left_out) add_once(outcome_.context.left_out, line);
  for (const DatasetContext& dataset : before.datasets) {
    if (dataset.name != lists_.dataset) continue;
    outcome_.context.datasets.front().table_rows = dataset.table_rows;
    outcome_.context.datasets.front().columns = dataset.columns;
  }
}

Status MatrixRun::plan_for_peers() {
  const PeerOptions& peers = request_.peers;
  if (peers.engines.empty()) return ok_status();
  PeerMemory memory;
  memory.table_bytes = table_bytes_;
  HDB_ASSIGN(const PeerPlan plan,
             plan_peers({peers.engines, threads_.size(), memory.table_bytes,
                         2 * ceiling_bytes(session_, host_), request_.repetitions.least},
                        outcome_.context.available_before_bytes));
  tell(fmt::format("peers: {}", to_text(plan)));
  memory.needed_bytes = plan.needed_bytes;
  outcome_.context.peer_memory = std::move(memory);
  return ok_status();
}

void MatrixRun::say_lowest() const {
  const auto& lowest = outcome_.context.available_lowest_bytes;
  if (!outcome_.context.peer_memory || !lowest) return;
  tell(fmt::format("peers: {:.1f} GB of memory were available at the lowest",
                   static_cast<double>(*lowest) / 1e9));
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
Result<std::function<void()>> MatrixRun::device_looks(std::size_t at, std::size_t reload,
                                                      DeviceRead& sequential) const {
  const PlannedPlacement& planned = placements_[at].planned;
  const bool is_elsewhere = reads_scratch(planned) && outcome_.context.ceilings.scratch_device;
  if (!planned.has_cold() || is_elsewhere || !outcome_.context.ceilings.device.known()) {
    return std::function<void()>();
  }
  HDB_ASSIGN(std::vector<std::filesystem::path> files, column_files());
  // Begins at other blocks than the previous placement's: those may be in a cache below the kernel.
  constexpr std::size_t kApart = 1021;
  const std::size_t first = (reload * placements_.size() + at) * kApart;
  return std::function<void()>([files = std::move(files), first, &sequential] {
    measure_device_round(files, first, sequential);
  });
}

// Measures the devices before the first cell and after the last one, when no mapping holds their
// pages.
Status MatrixRun::look_at_devices() {
  HDB_ASSIGN(const std::vector<std::filesystem::path> files, column_files());
  measure_device(files, outcome_.context.ceilings.device);
  if (!reads_scratch_) return ok_status();
  const std::filesystem::path directory = scratch_dir_of(session_.options().media);
  if (!is_other_device(directory, files)) return ok_status();
  auto& scratch = outcome_.context.ceilings.scratch_device;
  if (!scratch) scratch.emplace();
  measure_scratch_device(directory, *scratch);
  return ok_status();
}

std::string MatrixRun::title_of(std::size_t at, std::size_t reload) const {
  const std::string of_loads =
      request_.reloads > 1 ? fmt::format("visit {}/{}, ", reload + 1, request_.reloads) : "";
  return fmt::format("{}{}/{} {}", of_loads, at + 1, placements_.size(),
                     placements_[at].planned.title());
}

Status MatrixRun::run_rounds_of(std::size_t at, std::size_t reload, const TimeBudget& budget,
                                std::size_t& cells_run) {
  if (*session_.options().stop) return usage_error("interrupted");
  Loaded& placement = placements_[at];
  const PlannedPlacement& planned = placement.planned;
  session_.release_read_ahead();  // of the placement before
  session_.trim_results();
  // Reloads get new memory for results, so that intervals include the effect of its pages.
  if (reload > 0) HDB_TRY(session_.renew_results());
  HDB_ASSIGN(const std::unique_ptr<TablePlacement> placed,
             session_.place(tables_of(queries_),
                            {planned.medium, planned.layout, planned.codes, planned.compressed}));
  std::vector<std::string> left_out;
  HDB_ASSIGN(const auto queries, bindable_queries(queries_, *placed, left_out));
  for (const std::string& line : left_out) leave_out(line);
  HDB_ASSIGN(const BoundQueries bound, bind_all(queries, *placed));
  Progress progress(title_of(at, reload));
  HDB_TRY(session_.map_needed(queries, bound, *placed, [&](std::size_t done, std::size_t total) {
    const auto now = TimeBudget::Clock::now();
    progress.show_share(budget.done(0, now),
                        fmt::format("{} left  loaded {} of {} columns",
                                    duration_text(budget.left_s(0, now)), done, total));
  }));
  progress.hide();
  note(*placed, queries, bound);
  if (session_.ranks() == nullptr) {
    HDB_ASSIGN(placement.ceilings.unpacking,
               measure_unpacking(bound, tables_of(queries), *placed, session_.pools(), threads_));
  }

  HdbenchCells own(session_, queries, bound, *placed, planned.settings, request_.filter);
  // Every reload repeats a cell as often as the first load did, so that all have the same weight.
  own.repeat_as([&](const std::string& name) { return repetitions_of(name, reload); });
  const PeerOptions beside = has_peers(placement.planned) ? request_.peers : PeerOptions{};
  own.warm_for(beside.warm_seconds);
  PeerCells peers(beside, session_.options().database, threads_, queries, *session_.options().stop,
                  table_bytes_);
  JobCeilings ceilings(ceiling_bytes(session_, host_), cache_bytes(),
                       session_.ranks() != nullptr ? session_.commands() : nullptr);
  DeviceRead device = placement.ceilings.device_sequential;
  HDB_ASSIGN(auto look_at_device, device_looks(at, reload, device));
  const Underway visit{
      reload, placement.ceilings.memory, finished_of(own.cells(), reload), own, ceilings, device};
  const auto keep = [&] {
    const std::vector<CellResult> cells = keep_rounds(placement, visit);
    take_totals();
    if (request_.keep_round) request_.keep_round(cells);
  };
  const Status status = run_rounds(
      {title_of(at, reload), rule_, threads_, request_.order_seed + reload * kSeeds, budget},
      {session_.pools(), ceilings, own, peers, recorder_, std::move(look_at_device), keep});
  cells_run = keep_rounds(placement, visit).size();
  Status with_users = status;
  if (status.ok() && reload == 0) with_users = run_users(planned, bound, *placed, budget);
  if (with_users.ok()) finish(placement, visit);
  keep_ranks(ceilings, placed->medium());
  std::copy_if(peers.cells().begin(), peers.cells().end(), std::back_inserter(outcome_.peer_cells),
               was_run);
  for (const std::string& line : peers.left_out()) leave_out(line);
  if (outcome_.context.peer_memory) keep_memory(peers);
  return with_users.ok() ? peers.same_results() : with_users;
}

Status MatrixRun::run_users(const PlannedPlacement& planned, const BoundQueries& bound,
                            TablePlacement& placed, const TimeBudget& budget) {
  const auto keep = [&] {
    if (request_.keep_round) request_.keep_round({});
  };
  return users_.run(planned.settings, bound, placed,
                    {planned.title(), budget, recorder_.ledger, keep,
                     [&](const std::string& line) { leave_out(line); }});
}

std::uint64_t MatrixRun::cache_bytes() const {
  return request_.cache_bytes != 0 ? request_.cache_bytes : last_level_bytes(host_);
}

void MatrixRun::keep_ranks(const JobCeilings& ceilings, Medium& medium) {
  if (session_.commands() == nullptr) return;
  const std::vector<MemoryCeilings> memory = ceilings.by_rank();
  std::vector<std::string> media = session_.commands()->media();
  media.front() = medium.label();
  outcome_.context.ranks.resize(media.size());
  for (std::size_t rank = 0; rank < media.size(); ++rank) {
    RankContext& kept = outcome_.context.ranks[rank];
    if (rank < memory.size()) add_rounds(kept.memory, memory[rank]);
    add_once(kept.media, media[rank]);
  }
}

void MatrixRun::take_totals() {
  outcome_.context.ceilings.placements.clear();
  outcome_.context.ceilings.memory =
      CeilingRounds(ceiling_bytes(session_, host_), cache_bytes()).ceilings();
  for (const Loaded& placement : placements_) {
    if (!placement.is_begun) continue;
    outcome_.context.ceilings.placements.push_back(placement.ceilings);
    add_rounds(outcome_.context.ceilings.memory, placement.ceilings.memory);
  }
  outcome_.context.available_lowest_bytes = recorder_.memory.bytes();
  outcome_.other_load = recorder_.load.sum();
  outcome_.throttling = recorder_.throttling;
}

bool MatrixRun::is_finished(const std::string& cell, std::size_t reload) const {
  const auto known = kept_.find(cell);
  return known != kept_.end() && known->second.visits > reload;
}

// Every visit repeats a cell as often as the first did, so that all have the same weight; nothing:
// the rule says how often.
std::optional<std::size_t> MatrixRun::repetitions_of(const std::string& cell,
                                                     std::size_t reload) const {
  if (is_finished(cell, reload)) return 0;
  const auto known = kept_.find(cell);
  if (known == kept_.end() || known->second.visits == 0) return std::nullopt;
  const std::vector<std::size_t>& visits = outcome_.cells[known->second.at].visits;
  return visits.empty() ? std::nullopt : std::optional(visits.front());
}

// The cells that this visit runs, with their finished visits alone.
std::unordered_map<std::string, CellResult> MatrixRun::finished_of(
    const std::vector<CellResult>& cells, std::size_t reload) const {
  std::unordered_map<std::string, CellResult> finished;
  for (const CellResult& cell : cells) {
    const std::string name = cell.name();
    if (is_finished(name, reload)) continue;
    CellResult& before = finished[name];
    const auto known = kept_.find(name);
    if (known == kept_.end() || known->second.visits == 0) continue;
    before = outcome_.cells[known->second.at];
    keep_reloads(before, known->second.visits);
  }
  return finished;
}

// Adds what the visit has given so far to what there was before it. Returns its cells.
std::vector<CellResult> MatrixRun::keep_rounds(Loaded& placement, const Underway& visit) {
  placement.is_begun = true;
  placement.ceilings.memory = visit.memory_before;
  add_rounds(placement.ceilings.memory, visit.ceilings.ceilings());
  placement.ceilings.device_sequential = visit.device;
  std::vector<CellResult> cells;
  for (const CellResult& cell : visit.own.cells()) {
    const auto before = visit.cells_before.find(cell.name());
    if (before == visit.cells_before.end() || !was_run(cell)) continue;
    CellResult all = before->second;
    add_reload(all, cell, visit.reload);
    const auto [known, is_new] = kept_.try_emplace(cell.name(), Kept{outcome_.cells.size(), 0});
    if (is_new) outcome_.cells.emplace_back();
    outcome_.cells[known->second.at] = all;
    cells.push_back(std::move(all));
  }
  return cells;
}

void MatrixRun::finish(Loaded& placement, const Underway& visit) {
  placement.ceilings.visits = std::max(placement.ceilings.visits, visit.reload + 1);
  placement.ceilings.finished = placement.ceilings.visits == request_.reloads;
  for (const auto& [name, before] : visit.cells_before) {
    if (const auto known = kept_.find(name); known != kept_.end())
      known->second.visits = visit.reload + 1;
  }
}

void MatrixRun::keep_memory(const PeerCells& peers) {
  recorder_.memory.take(peers.lowest().bytes());
  for (const PeerWorkerMemory& worker : peers.memory()) {
    outcome_.context.peer_memory->workers.push_back(worker);
  }
}

// Peers run beside hdbench's first dram/flat cells.
bool MatrixRun::has_peers(const PlannedPlacement& placement) const {
  return placement.medium == "dram" && placement.layout == Layout::kFlat &&
         word(placement.codes) == lists_.of("codes").front();
}

void MatrixRun::note(TablePlacement& placement, const std::vector<ListedQuery>& queries,
                     const BoundQueries& bound) {
  DatasetContext& dataset = outcome_.context.datasets.front();
  if (dataset.table_rows.empty()) dataset.table_rows = rows_of_tables(queries, placement);
  // Rank 0 maps no other rank's columns.
  if (dataset.columns.empty() && session_.ranks() == nullptr) {
    for (const std::string& name : tables_of(queries)) {
      NeededColumns needed(placement.table(name), placement.ranks());
      for (const auto& [id, query] : bound) needed.add(*query.table, *query.plan);
      merge_needs(dataset.columns, column_needs(placement.table(name), needed));
      note_compression(placement.table(name), needed, dataset);
    }
  }
  for (const std::string& line : saving_lines(queries, bound, placement)) {
    add_once(outcome_.context.codes_saved, line);
  }
  for (Medium* const medium : placement.medium().parts()) {
    const EmulatedMedium* const emulated = as_emulated(*medium);
    if (emulated == nullptr) continue;
    for (const std::size_t threads : threads_) {
      for (const std::string& line : emulated->host_limits(threads))
        add_once(outcome_.context.host_limits, medium->name() + ": " + line);
    }
  }
  for (const std::string& line : near_cache_lines(placement.medium())) {
    auto& notes = outcome_.near_cache_notes;
    if (std::ranges::find(notes, line) == notes.end()) tell(fmt::format("note: {}", line));
    add_once(notes, line);
  }
  for (const std::string& line : compressed_lines(queries, bound, placement)) leave_out(line);
}

void MatrixRun::leave_out(const std::string& line) { add_once(outcome_.context.left_out, line); }

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

}  // namespace hdbench::bench
