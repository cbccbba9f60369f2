// hdbench run: the experiment matrix over databases, as a table and as results.json.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <set>

#include "bench/base/interrupt.h"
#include "bench/base/lines.h"
#include "bench/base/output_file.h"
#include "bench/base/own_command.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/base/version.h"
#include "bench/cli/commands.h"
#include "bench/cli/machine_flags.h"
#include "bench/cli/present_media.h"
#include "bench/cli/run_flags.h"
#include "bench/cli/table_flag.h"
#include "bench/machine/cpu_tuning_choice.h"
#include "bench/machine/memory_probe.h"
#include "bench/machine/preflight.h"
#include "bench/model/time_budget.h"
#include "bench/peers/peer_cells.h"
#include "bench/results/results_json.h"
#include "bench/run/expected_counts.h"
#include "bench/run/made_database.h"
#include "bench/run/matrix_run.h"
#include "bench/run/placement_list.h"
#include "bench/run/resumed_cells.h"
#include "bench/run/run_cells.h"
#include "engine/base/write_guard.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The peers, which are compared with dram/flat cells and know two files of queries only.
Result<PeerOptions> checked_peers(const RunFlags& flags, const AxisLists& lists,
                                  const std::vector<ListedQuery>& queries) {
  HDB_ASSIGN(PeerOptions peers, peer_options(flags.peers, flags.peers_python));
  if (peers.engines.empty()) return peers;
  HDB_ASSIGN(peers.queries, peer_query_file(queries));
  if (!flags.axes.places.empty()) {
    return usage_error("--peers: they hold every column in dram: leave out --place");
  }
  const auto has = [](const auto& list, const auto& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (has(lists.media, "dram") && (!lists.layouts || has(*lists.layouts, Layout::kFlat))) {
    return peers;
  }
  return usage_error("--peers: they are compared with --medium dram --layout flat: add these");
}

// A matrix over an open database, ready to be run.
struct ReadyPart {
  std::unique_ptr<Session> session;
  std::vector<ListedQuery> queries;
  RowCounts expected;
  RunRequest request;
  double estimate_s = 0;  // of all visits
  MemoryNeed need;
  std::unique_ptr<MatrixRun> run;
};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_once(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& line : from) add_once(to, line);
}

// What one matrix gave, beside what those before it gave.
RunOutcome merged(RunOutcome all, const RunOutcome& part) {
  append(all.cells, part.cells);
  append(all.peer_cells, part.peer_cells);
  append(all.ceilings.placements, part.ceilings.placements);
  add_rounds(all.ceilings.memory, part.ceilings.memory);
  if (!all.ceilings.device.known()) all.ceilings.device = part.ceilings.device;
  if (part.ceilings.scratch_device) all.ceilings.scratch_device = part.ceilings.scratch_device;
  all.other_load.add(part.other_load);
  append_once(all.left_out, part.left_out);
  append_once(all.host_floors, part.host_floors);
  append_once(all.codes_saved, part.codes_saved);
  if (part.peer_memory) all.peer_memory = part.peer_memory;
  if (!all.available_before_bytes) all.available_before_bytes = part.available_before_bytes;
  const auto& lowest = part.available_lowest_bytes;
  if (lowest && (!all.available_lowest_bytes || *lowest < *all.available_lowest_bytes)) {
    all.available_lowest_bytes = lowest;
  }
  return all;
}

class RunCommand {
 public:
  explicit RunCommand(const RunFlags& flags) : flags_(flags), begin_(Clock::now()) {}

  Result<int> run() {
    HDB_ASSIGN(plan_, plan_run(flags_));
    HDB_TRY(check_out());
    name_media();
    HDB_TRY(make_databases());
    HDB_TRY(hold_volumes());
    for (const RunPart& part : plan_.parts) HDB_TRY(add_ready(part));
    if (flags_.google.list) return list_cells();
    HDB_TRY(check_cells());
    HDB_TRY(take_saved());
    look_first();
    const Status status = run_visits();
    all_ = so_far();
    if (!status.ok()) all_.error = status.error();
    return finish();
  }

 private:
  // What will be written, against every database, before the first is made.
  Status check_out() const {
    for (const RunDataset& dataset : plan_.datasets) {
      HDB_TRY(check_outside("--out", flags_.out, dataset.directory));
      HDB_TRY(check_outside("--scratch-dir", flags_.axes.scratch_dir, dataset.directory));
      HDB_TRY(check_outside("--pmem-dir", flags_.axes.pmem_dir, dataset.directory));
    }
    return check_output(flags_.output());
  }

  // Cells are named after what their media mean here.
  void name_media() {
    std::vector<std::string> notes;
    for (RunPart& part : plan_.parts) append_once(notes, resolve_media(part.axes));
    for (const std::string& note : notes) fmt::print(stderr, "{}\n", note);
  }

  Status make_databases() const {
    for (const RunDataset& dataset : plan_.datasets) {
      if (!dataset.spec) continue;
      const std::filesystem::path directory = dataset.directory.parent_path();
      HDB_TRY(check_outside_databases("--data-dir", directory));
      std::error_code error;
      std::filesystem::create_directories(directory, error);
      HDB_ASSIGN(const MadeDatabase made, make_database(dataset.directory, *dataset.spec, true));
      fmt::print(stderr, "{}: {:.2f} GB, {}\n", dataset.directory.string(),
                 static_cast<double>(made.manifest.bytes()) / 1e9,
                 made.written_bytes != 0 ? "generated now and kept" : "there already");
    }
    return ok_status();
  }

  // Before the first thread. Loading another medium would be held up, and its cells would not be.
  Status hold_volumes() {
    if (flags_.machine.volume.empty() || flags_.google.list) return ok_status();
    std::vector<std::filesystem::path> directories;
    for (const RunDataset& dataset : plan_.datasets) directories.push_back(dataset.directory);
    for (const RunPart& part : plan_.parts) {
      if (part.axes.medium == "nvme") continue;
      return usage_error(
          fmt::format("--volume holds a disk: only with --medium nvme, not {}", part.axes.medium));
    }
    HDB_ASSIGN(held_, hold_volume(flags_.machine, directories));
    return ok_status();
  }

  Status add_ready(const RunPart& part) {
    ReadyPart ready;
    HDB_ASSIGN(ready.queries, queries_of_file(part.query_file, std::nullopt));
    HDB_ASSIGN(ready.expected, expected_counts(part.axes.database, part.query_file));
    HDB_ASSIGN(SessionOptions options, session_options(part.axes));
    HDB_ASSIGN(ready.session, Session::open(std::move(options)));
    ready.session->pools().release();
    HDB_TRY(check_tables(ready.queries, ready.session->database()));
    HDB_TRY(ready.session->check_places_in(tables_of(ready.queries)));
    RunRequest& request = ready.request;
    all_threads_ = ready.session->pools().all_threads();
    HDB_ASSIGN(request.lists, axis_lists(part.axes, all_threads_));
    request.lists.dataset = plan_.datasets[part.dataset].name;
    request.lists.volume = flags_.machine.volume_word();
    request.repetitions = plan_.repetitions;
    request.visits = plan_.visits;
    request.matrix = ready_.size();
    request.order_seed = flags_.order_seed;
    request.filter = plan_.filter;
    HDB_ASSIGN(request.peers, checked_peers(flags_, request.lists, ready.queries));
    HDB_ASSIGN(const PlacementList list,
               list_placements(*ready.session, ready.queries, request.lists));
    HDB_ASSIGN(const std::uint64_t bytes, flat_bytes(*ready.session, ready.queries));
    append_once(plan_.left_out, list.left_out);
    placements_ += list.placements.size();
    for (const PlannedPlacement& placement : list.placements) {
      ready.estimate_s += static_cast<double>(plan_.visits) *
                          estimate_of(placement, ready.queries.size(), bytes, request.lists,
                                      plan_.repetitions.of_visit(plan_.visits));
      if (placement.has_cache) continue;
      ready.need = {bytes, fmt::format("the table on {}", placement.title())};
    }
    note_dataset(part, *ready.session);
    note_profiles(request.lists.media);
    note_profiles({part.axes.result_medium});
    for (const ColumnPlace& place : ready.session->options().places) note_profiles({place.medium});
    query_file_ = part.query_file.filename().string();
    ready_.push_back(std::move(ready));
    return ok_status();
  }

  // Figures can be traced to what they were charged by. Media were made of these words by now.
  void note_profiles(const std::vector<std::string>& media) {
    for (const std::string& medium : media) {
      const auto word = parse_medium_spec(medium);
      if (!word.ok() || word->profile.empty()) continue;
      const auto profile = load_profile(word->profile);
      if (!profile.ok()) continue;
      const std::pair<std::string, std::string> one(profile->name, profile->digest);
      if (std::find(profiles_.begin(), profiles_.end(), one) == profiles_.end()) {
        profiles_.push_back(one);
      }
    }
  }

  void note_dataset(const RunPart& part, const Session& session) {
    const std::string& name = plan_.datasets[part.dataset].name;
    const bool known = std::any_of(datasets_.begin(), datasets_.end(),
                                   [&](const DatasetContext& one) { return one.name == name; });
    if (known) return;
    datasets_.push_back(
        {name, session.database().root().string(), session.database().partition_count(), {}});
  }

  Result<int> list_cells() {
    TextSink sink = standard_output();
    HDB_ASSIGN(const std::vector<std::string> names, all_cell_names());
    for (const std::string& name : names) sink.text() += name + "\n";
    HDB_TRY(sink.finish());
    return kFine;
  }

  // Before anything is estimated or loaded.
  Status check_cells() {
    if (placements_ == 0) {
      return data_error(fmt::format("no cell of the matrix can be run here: {}",
                                    fmt::join(plan_.left_out, "; ")));
    }
    HDB_ASSIGN(const std::vector<std::string> names, all_cell_names());
    if (!names.empty() || plan_.filter.holds_all()) return ok_status();
    for (const std::string& line : plan_.left_out) fmt::print(stderr, "not run: {}\n", line);
    return usage_error(
        "--benchmark_filter: no cell of this run has such a name: --benchmark_list_tests names "
        "them");
  }

  Result<std::vector<std::string>> all_cell_names() {
    std::vector<std::string> all;
    for (ReadyPart& part : ready_) {
      HDB_ASSIGN(const std::vector<std::string> names,
                 cell_names(*part.session, part.queries, part.request));
      append(all, names);
    }
    return all;
  }

  Status take_saved() {
    std::error_code error;
    if (!flags_.resume) return ok_status();
    if (!std::filesystem::exists(flags_.out, error)) {
      fmt::print(stderr, "resume: {} is not there: all is run\n", flags_.out);
      return ok_status();
    }
    if (!std::filesystem::is_regular_file(flags_.out, error)) {
      return usage_error(fmt::format("--resume: {}: no results file", flags_.out));
    }
    HDB_ASSIGN(saved_, read_results(flags_.out));
    HDB_TRY(check_same_run(*saved_, context()));
    HDB_ASSIGN(const std::vector<std::string> names, all_cell_names());
    const std::set<std::string> known(names.begin(), names.end());
    for (const CellResult& cell : saved_->cells) {
      if (cell.peer || known.count(cell.name()) != 0) continue;
      return usage_error(
          fmt::format("--resume: {} holds {}, which this command does not run and would lose: give "
                      "the command that made it, or another --out",
                      flags_.out, cell.name()));
    }
    return ok_status();
  }

  // Before anything is loaded.
  void look_first() {
    std::optional<MemoryNeed> need;
    for (const ReadyPart& part : ready_) {
      if (!need || part.need.bytes > need->bytes) need = part.need;
    }
    constexpr std::chrono::milliseconds kLook(300);
    preflight_ = preflight(need, kLook);
    for (const std::string& line : preflight_lines(preflight_)) fmt::print(stderr, "{}\n", line);
    for (const std::string& line : plan_.left_out) fmt::print(stderr, "not run: {}\n", line);
    for (const std::string& line : held_.notes) preflight_.push_back({"volume", line});
    if (saved_) take_load_notes(saved_->context.preflight);
    double estimate = 0;
    for (const ReadyPart& part : ready_) estimate += part.estimate_s;
    constexpr double kWorthTellingS = 20;
    if (estimate <= kWorthTellingS && !plan_.budget_s) return;
    fmt::print(
        stderr, "estimate: about {}{}\n", duration_text(estimate),
        plan_.budget_s ? fmt::format("; the budget is {}", duration_text(*plan_.budget_s)) : "");
  }

  // What was seen while the cells of earlier sittings ran.
  void take_load_notes(const std::vector<PreflightNote>& notes) {
    const std::string earlier = "in an earlier sitting: ";
    for (const PreflightNote& note : notes) {
      if (note.name != OtherLoad::kNoteName) continue;
      preflight_.push_back(
          {note.name, (note.text.starts_with(earlier) ? "" : earlier) + note.text});
    }
  }

  // All matrices are visited before any is visited again. What one of them cannot load ends the run
  // when all others are done.
  Status run_visits() {
    set_cpu_tuning(fastest_cpu_tuning(last_level_bytes(read_host(all_threads_))));
    for (ReadyPart& part : ready_) {
      RunRequest& request = part.request;
      request.resumed = saved_ ? &*saved_ : nullptr;
      request.keep = [this] { keep(so_far(), false); };
      part.run = std::make_unique<MatrixRun>(*part.session, part.queries, request);
    }
    for (ReadyPart& part : ready_) {
      HDB_TRY(part.run->begin());
      part.session->pools().release();
    }
    std::vector<double> estimates;
    for (std::size_t visit = 0; visit < plan_.visits; ++visit) {
      for (const ReadyPart& part : ready_) append(estimates, part.run->estimates_s(visit));
    }
    std::optional<double> left_s;
    if (plan_.budget_s) left_s = std::max(0.0, *plan_.budget_s - seconds_since(begin_));
    TimeBudget budget(std::move(estimates), left_s, Clock::now());
    std::size_t first_part = 0;
    for (std::size_t visit = 0; visit < plan_.visits; ++visit) {
      for (ReadyPart& part : ready_) {
        HDB_TRY(part.run->visit(visit, budget, first_part));
        part.session->pools().release();
        first_part += part.run->estimates_s(visit).size();
      }
    }
    Status status = ok_status();
    for (ReadyPart& part : ready_) {
      const Status ended = part.run->end();
      if (status.ok()) status = ended;
    }
    return status;
  }

  // What all matrices have given.
  RunOutcome so_far() {
    RunOutcome all;
    all.left_out = plan_.left_out;
    for (const ReadyPart& part : ready_) {
      const RunOutcome& outcome = part.run->outcome();
      note_rows(part.request.lists.dataset, outcome);
      all = merged(std::move(all), outcome);
    }
    return all;
  }

  void note_rows(const std::string& dataset, const RunOutcome& outcome) {
    for (DatasetContext& one : datasets_) {
      if (one.name == dataset && !outcome.table_rows.empty()) one.table_rows = outcome.table_rows;
    }
  }

  RunContext context() const {
    RunContext context;
    std::error_code error;
    context.date = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(std::time(nullptr)));
    context.executable = std::filesystem::read_symlink("/proc/self/exe", error).string();
    context.host = read_host(all_threads_);
    context.version = version();
    context.commit = commit();
    context.build_type = build_type();
    context.datasets = datasets_;
    context.query_file = query_file_;
    const RepetitionRule of_visit = plan_.repetitions.of_visit(plan_.visits);
    context.repetitions = of_visit.least * plan_.visits;
    context.repetitions_most = of_visit.most * plan_.visits;
    context.precision = plan_.repetitions.precision;
    context.visits = plan_.visits;
    context.command = own_command();
    context.experiment = plan_.title;
    context.preflight = preflight_;
    context.elapsed_s =
        seconds_since(begin_) + (saved_ ? saved_->context.elapsed_s.value_or(0) : 0);
    context.budget_s = plan_.budget_s;
    context.sittings = saved_ ? saved_->context.sittings + 1 : 1;
    context.order_seed = flags_.order_seed;
    // The flag's, which all parts share.
    const std::string results = plan_.parts.empty() ? "" : plan_.parts.front().axes.result_medium;
    context.profiles = profiles_;
    context.result_medium = results.empty() ? "dram (memory-mode: its own)" : results;
    context.cpu_tuning = cpu_tuning().name;
    return context;
  }

  RunContext context_of(const RunOutcome& outcome) const {
    RunContext whole = context();
    whole.codes_saved = outcome.codes_saved;
    if (const auto note = outcome.other_load.note()) whole.preflight.push_back(*note);
    whole.left_out = outcome.left_out;
    whole.host_floors = outcome.host_floors;
    whole.ceilings = outcome.ceilings;
    whole.peer_memory = outcome.peer_memory;
    whole.available_before_bytes = outcome.available_before_bytes;
    whole.available_lowest_bytes = outcome.available_lowest_bytes;
    return whole;
  }

  std::string json_of(const RunOutcome& outcome, bool complete) const {
    RunContext whole = context_of(outcome);
    whole.complete = complete;
    std::vector<CellResult> cells = outcome.cells;
    append(cells, outcome.peer_cells);
    return results_json(whole, cells);
  }

  // What cannot be kept now will be told at the end.
  void keep(const RunOutcome& outcome, bool complete) const {
    (void)keep_output(flags_.output(), flags_.out.empty() ? "" : json_of(outcome, complete)).ok();
  }

  Result<int> finish() {
    const bool complete = !all_.error;
    const Status written =
        flags_.out.empty() ? ok_status() : write_output(flags_.output(), json_of(all_, complete));
    // The table is there, whatever became of the file.
    Result<int> printed = print(complete, written.ok());
    if (written.ok()) return printed;
    if (printed.ok()) return written.error();
    Error error = printed.error();
    error.message += "; " + written.error().message;
    return error;
  }

  // What a terminal shows of the cells.
  Result<std::string> shown() const {
    std::vector<SavedRun> runs(1);
    runs.front().file = flags_.out.empty() ? "this run" : flags_.out;
    runs.front().context = context_of(all_);
    runs.front().cells = all_.cells;
    append(runs.front().cells, all_.peer_cells);
    HDB_ASSIGN(const ReportInput input, merge_runs(std::move(runs)));
    return terminal_report(ReportPivot(input), flags_.table);
  }

  Result<int> print(bool complete, bool is_kept) {
    if (all_.cells.empty()) {
      if (all_.error) return told(*all_.error, is_kept);
      return data_error(
          fmt::format("no cell of the matrix can be run here: {}", fmt::join(all_.left_out, "; ")));
    }
    TextSink sink = standard_output();
    if (flags_.google.json) {
      sink.text() = json_of(all_, complete);
      HDB_TRY(sink.finish());
    } else {
      HDB_ASSIGN(sink.text(), shown());
    }
    const Status counts = report_counts(sink.text());
    if (!flags_.google.json) HDB_TRY(sink.finish());
    if (all_.error) return told(*all_.error, is_kept);
    if (!counts.ok()) return counts.error();
    return kFine;
  }

  // What an interrupted run has, and how one goes on.
  Error told(Error error, bool is_kept) const {
    if (!interrupted()) return error;
    std::size_t visits = 0;
    for (const PlacementCeilings& one : all_.ceilings.placements) visits += one.visits;
    error.message +=
        plan_.visits == 1
            ? fmt::format(": {} of {} media and layouts were finished; ", visits, placements_)
            : fmt::format(": {} of {} visits to media and layouts were finished; ", visits,
                          plan_.visits * placements_);
    if (!is_kept) {
      error.message += "not all of them could be kept";
    } else if (flags_.out.empty()) {
      error.message += "with --out they are kept, and --resume goes on";
    } else {
      error.message +=
          fmt::format("they are kept in {}: the same command with --resume goes on", flags_.out);
    }
    return error;
  }

  // "counts: 11 of 11 as expected", or the queries that differ.
  Status report_counts(std::string& text) const {
    CountCheck sum;
    for (const ReadyPart& part : ready_) {
      const CountCheck check = check_counts(part.expected, cells_of(part.request.lists.dataset));
      sum.checked += check.checked;
      sum.as_expected += check.as_expected;
      append_once(sum.differences, check.differences);
    }
    if (sum.checked == 0) return ok_status();
    text += fmt::format("counts: {} of {} as expected\n", sum.as_expected, sum.checked);
    if (sum.differences.empty()) return ok_status();
    return Error{ErrorKind::kMismatch, fmt::format("{}", fmt::join(sum.differences, "; ")), {}};
  }

  std::vector<CellResult> cells_of(const std::string& dataset) const {
    std::vector<CellResult> cells;
    std::copy_if(all_.cells.begin(), all_.cells.end(), std::back_inserter(cells),
                 [&](const CellResult& cell) { return cell.setting.dataset == dataset; });
    return cells;
  }

  const RunFlags& flags_;
  Clock::time_point begin_;
  RunPlan plan_;
  std::vector<ReadyPart> ready_;
  std::vector<DatasetContext> datasets_;
  std::vector<std::pair<std::string, std::string>> profiles_;  // RunContext's
  std::string query_file_;
  std::size_t all_threads_ = 1;
  std::size_t placements_ = 0;  // of the whole matrix
  std::optional<SavedRun> saved_;
  std::vector<PreflightNote> preflight_;
  HeldVolume held_;
  RunOutcome all_;
};

}  // namespace

void add_run_command(FlagSet& app, ChosenCommand& chosen) {
  FlagSet command = app.add_command(
      "run", "Run the experiment: every query under every setting of the axes, timed and compared");
  const auto flags = std::make_shared<RunFlags>();
  add_run_flags(command, *flags);
  command.callback([command, flags, &chosen] {
    chosen = [command, flags] {
      const Status finished = finish_run_flags(command, *flags);
      if (!finished.ok()) return report_error(finished.error());
      const Result<int> status = RunCommand(*flags).run();
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench
