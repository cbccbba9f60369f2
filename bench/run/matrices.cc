#include "bench/run/matrices.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "bench/base/lines.h"
#include "bench/base/report_error.h"
#include "bench/base/version.h"
#include "bench/machine/host.h"
#include "bench/machine/host_figures.h"
#include "bench/machine/memory_probe.h"
#include "bench/machine/setting_notes.h"
#include "bench/model/query_check.h"
#include "bench/run/needed_columns.h"
#include "bench/run/placement_notes.h"
#include "bench/run/resumed_cells.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

// Peers are compared with dram/flat cells, and know three files of queries only.
Result<PeerOptions> peers_of(PeerOptions peers, const AxisLists& lists,
                             const std::vector<ListedQuery>& queries, bool has_places) {
  if (peers.engines.empty()) return peers;
  HDB_ASSIGN(peers.queries, peer_query_file(queries));
  if (has_places) return usage_error("--peers: they hold every column in dram: leave out --place");
  const auto has = [&](const char* axis, const char* word) {
    const auto& words = lists.of(axis);
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (has("medium", "dram") && (lists.of("layout").empty() || has("layout", "flat"))) return peers;
  return usage_error("--peers: they are compared with --medium dram --layout flat: add these");
}

template <typename T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_lines(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& line : from) add_once(to, line);
}

// Two matrices may ask the same of one placement: the cell with more rounds stays.
void add_users_cell(std::vector<UsersCell>& all, const UsersCell& cell) {
  const auto known = std::ranges::find(all, cell.name(), &UsersCell::name);
  if (known == all.end()) {
    all.push_back(cell);
  } else if (known->rounds < cell.rounds) {
    *known = cell;
  }
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
  for (const UsersCell& cell : part.users) add_users_cell(all.users, cell);
  append_all(all.ceilings.placements, part.ceilings.placements);
  add_rounds(all.ceilings.memory, part.ceilings.memory);
  if (!all.ceilings.device.known()) all.ceilings.device = part.ceilings.device;
  if (part.ceilings.scratch_device) all.ceilings.scratch_device = part.ceilings.scratch_device;
  if (part.peer_memory) all.peer_memory = part.peer_memory;
  if (!all.available_before_bytes) all.available_before_bytes = part.available_before_bytes;
  for (std::size_t rank = 0; rank < part.ranks.size(); ++rank) {
    add_rounds(all.ranks[rank].memory, part.ranks[rank].memory);
    append_lines(all.ranks[rank].media, part.ranks[rank].media);
  }
  LowestMemory lowest;
  lowest.take(all.available_lowest_bytes);
  lowest.take(part.available_lowest_bytes);
  all.available_lowest_bytes = lowest.bytes();
}

// Adds what another matrix gave.
void merge(RunOutcome& all, const RunOutcome& part) {
  merge_context(all.context, part.context);
  append_all(all.cells, part.cells);
  append_all(all.peer_cells, part.peer_cells);
  append_lines(all.near_cache_notes, part.near_cache_notes);
  all.other_load.add(part.other_load);
  all.throttling.add(part.throttling);
}

}  // namespace

Matrices::Matrices(const RunPlan& plan) : plan_(plan), begin_(std::chrono::steady_clock::now()) {}

Status Matrices::open() {
  context_.left_out = plan_.left_out;
  for (const RunPart& part : plan_.parts) HDB_TRY(open_part(part));
  fill_context();
  return ok_status();
}

Status Matrices::open_part(const RunPart& part) {
  auto matrix = std::make_unique<Matrix>();
  HDB_ASSIGN(matrix->queries, queries_of_file(part.query_file, std::nullopt, part.session.params,
                                              &context_.left_out));
  HDB_ASSIGN(matrix->expected, expected_counts(part.session.database, part.query_file));
  SessionOptions options = part.session;
  options.sharing.replicas = part.users.is_any();
  if (options.job != nullptr) options.queries_hash = hash_of(matrix->queries);
  if (options.sharing.replicas && !options.sharing.shards.empty())
    return usage_error("--shards: users are answered by ranks that have all partitions each");
  HDB_ASSIGN(matrix->session, Session::open(std::move(options)));
  if (SharedPartitions* const ranks = matrix->session->job_ranks())
    HDB_TRY(check_under_ranks(part.users, ranks->count()));
  matrix->session->pools().release();
  HDB_ASSIGN(matrix->queries, runnable_queries(std::move(matrix->queries),
                                               matrix->session->database(), context_.left_out));
  if (!disk_) {
    const auto mount = mount_of(read_mounts({}), part.session.database);
    if (mount) disk_ = read_block_device(MachinePaths{}.sysfs, mount->block_device);
  }
  HDB_TRY(matrix->session->places_in(tables_of(matrix->queries)));
  RunRequest& request = matrix->request;
  static_cast<RunRules&>(request) = plan_;
  HDB_ASSIGN(request.lists, axis_lists(part.axes, matrix->session->pools().all_threads()));
  request.lists.dataset = plan_.datasets[part.dataset].name;
  request.lists.volume = plan_.volume;
  request.matrix = matrices_.size();
  request.users = part.users;
  HDB_ASSIGN(request.peers,
             peers_of(plan_.peers, request.lists, matrix->queries, !part.session.places.empty()));
  matrix->run = std::make_unique<MatrixRun>(*matrix->session, matrix->queries, request);
  MatrixRun& run = *matrix->run;
  HDB_TRY(run.list());
  for (std::string& name : run.cell_names()) cell_names_.push_back(std::move(name));
  placement_count_ += run.placement_count();
  for (std::size_t at = 0; at < run.placement_count(); ++at) {
    estimate_s_ += static_cast<double>(plan_.reloads) * run.estimate_s(at, 0);
  }
  take_scope(run.scope());
  matrices_.push_back(std::move(matrix));
  return ok_status();
}

void Matrices::take_scope(const PreflightScope& part) {
  if (part.need && (!scope_.need || part.need->bytes > scope_.need->bytes)) scope_.need = part.need;
  scope_.threads = std::max(scope_.threads, part.threads);
  const bool is_first = scope_.table_bytes == 0;
  scope_.table_bytes = is_first ? part.table_bytes : std::min(scope_.table_bytes, part.table_bytes);
  scope_.cold_paths.insert(scope_.cold_paths.end(), part.cold_paths.begin(), part.cold_paths.end());
}

Status Matrices::serve() {
  std::vector<FollowedSession> sessions;
  for (const auto& matrix : matrices_) sessions.push_back({*matrix->session, matrix->queries});
  return serve_rank_0(sessions);
}

// The ranks' machines, and the network between them.
Status Matrices::describe_ranks() {
  Session& first = *matrices_.front()->session;
  RankCommands* const commands = first.commands();
  if (commands == nullptr) return ok_status();
  const SharedPartitions& ranks = *first.job_ranks();
  context_.ranks.assign(ranks.count(), {});
  HDB_TRY(commands->describe(scope_.threads, context_.ranks));
  RankContext& own = context_.ranks.front();
  own.host = context_.host;
  own.partitions = first.owned_partitions();
  own.preflight = context_.preflight;
  const NetworkFigures network = commands->measure_network();
  for (std::size_t rank = 0; rank < ranks.count(); ++rank)
    context_.ranks[rank].link = network.by_rank[rank];
  context_.network_gb_s = network.all_gb_s;
  for (const auto& matrix : matrices_) {
    matrix->session->set_clock_offsets(network);
    if (matrix->session->ranks() != nullptr)
      matrix->request.cache_bytes = last_level_bytes_of(context_.ranks);
  }
  if (!saved_ || saved_->context.ranks.size() != ranks.count()) return ok_status();
  for (std::size_t rank = 0; rank < ranks.count(); ++rank) {
    context_.ranks[rank].memory = saved_->context.ranks[rank].memory;
    context_.ranks[rank].media = saved_->context.ranks[rank].media;
  }
  return ok_status();
}

void Matrices::fill_context() {
  std::error_code error;
  context_.datasets.clear();
  context_.date = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(std::time(nullptr)));
  context_.executable = std::filesystem::read_symlink("/proc/self/exe", error).string();
  context_.host = read_host(matrices_.back()->session->pools().all_threads());
  context_.version = version();
  context_.commit = commit();
  context_.build_type = build_type();
  context_.query_file = plan_.parts.back().query_file.filename().string();
  const RepetitionRule of_load = plan_.repetitions.of_reload(plan_.reloads);
  context_.repetitions = of_load.least * plan_.reloads;
  context_.repetitions_most = of_load.most * plan_.reloads;
  context_.precision = plan_.repetitions.precision;
  context_.visits = plan_.reloads;
  context_.command = reproduce_command();
  context_.experiment = plan_.title;
  context_.budget_s = plan_.budget_s;
  context_.order_seed = plan_.order_seed;
  const std::string& results = plan_.parts.front().session.result_medium;  // the same in all
  context_.result_medium = results.empty() ? "dram (memory-mode: its own)" : results;
  context_.benchmark_context = plan_.benchmark_context;
  context_.tiering = read_kernel_tiering();
  context_.tiering->requested = plan_.tiering;
}

double Matrices::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Status Matrices::resume(SavedRun saved) {
  HDB_TRY(check_same_run(saved, outcome().context));
  for (const CellResult& cell : saved.cells) {
    const auto end = cell_names_.end();
    if (cell.peer || std::find(cell_names_.begin(), end, cell.name()) != end) continue;
    return usage_error(
        fmt::format("--resume: {} holds {}, which this command does not run and would lose: give "
                    "the command that made it, or another --out",
                    saved.file, cell.name()));
  }
  for (const UsersCell& cell : saved.context.users) {
    if (std::ranges::find(cell_names_, cell.name()) != cell_names_.end()) continue;
    return usage_error(
        fmt::format("--resume: {} holds {}, which this command does not run and would lose: give "
                    "the command that made it, or another --out",
                    saved.file, cell.name()));
  }
  for (const auto& matrix : matrices_) {
    for (const std::string& line :
         changed_queries(saved, matrix->queries, matrix->run->cell_names())) {
      tell(line);
    }
  }
  // What was seen while the cells of earlier sessions ran.
  const std::string earlier = "in an earlier session: ";
  for (const PreflightNote& note : saved.context.preflight) {
    if (note.name != OtherLoad::kNoteName && note.name != kThrottledNote) continue;
    const bool is_told = note.text.starts_with(earlier);
    context_.preflight.push_back({note.name, (is_told ? "" : earlier) + note.text, {}});
  }
  context_.sittings = saved.context.sittings + 1;
  saved_ = std::move(saved);
  return ok_status();
}

void Matrices::add_notes(const std::vector<PreflightNote>& notes) {
  context_.preflight.insert(context_.preflight.end(), notes.begin(), notes.end());
}

Status Matrices::run(const Keeper& keeper) {
  set_cpu_tuning(fastest_cpu_tuning(last_level_bytes(context_.host)));
  context_.cpu_tuning = cpu_tuning().name;
  HDB_TRY(describe_ranks());
  std::vector<MatrixRun*> runs;
  for (const auto& matrix : matrices_) {
    matrix->request.resumed = saved_ ? &*saved_ : nullptr;
    matrix->request.keep_round = keeper.round;
    matrix->request.keep = keeper.visit;
    runs.push_back(matrix->run.get());
  }
  for (MatrixRun* const one : runs) HDB_TRY(one->begin());
  is_begun_ = true;
  std::optional<double> left_s;
  if (plan_.budget_s) left_s = std::max(0.0, *plan_.budget_s - elapsed_s());
  return run_schedule(runs, plan_.reloads, left_s);
}

RunOutcome Matrices::outcome() const {
  RunOutcome all;
  all.context = context_;
  all.context.elapsed_s = elapsed_s() + (saved_ ? saved_->context.elapsed_s.value_or(0) : 0);
  for (const auto& matrix : matrices_) merge(all, matrix->run->outcome());
  for (const std::string& line : all.near_cache_notes) {
    all.context.preflight.push_back({kNearCacheNote, line, {}});
  }
  for (const ThreadCeilings& one : all.context.ceilings.memory.by_threads) {
    if (const auto note = uneven_note(one.threads, one.slowest_share, all.context.host))
      all.context.preflight.push_back(*note);
  }
  const std::optional<double> quota = all.context.host.quota_cpus;
  all.context.ceilings.quota_cpus = quota;
  for (const auto& note : {all.other_load.note(), throttled_note(all.throttling, quota),
                           read_ahead_note(all.cells, disk_)}) {
    if (note) all.context.preflight.push_back(*note);
  }
  return all;
}

CountCheck Matrices::check_counts_of(const std::vector<CellResult>& cells) const {
  CountCheck sum;
  for (const auto& matrix : matrices_) {
    std::vector<CellResult> own;
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(own), [&](const CellResult& cell) {
      return cell.setting.dataset == matrix->request.lists.dataset;
    });
    const CountCheck check = check_counts(matrix->expected, own);
    sum.checked += check.checked;
    sum.as_expected += check.as_expected;
    for (const std::string& line : check.differences) add_once(sum.differences, line);
  }
  return sum;
}

}  // namespace hdbench::bench
