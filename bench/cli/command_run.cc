// hdbench run: the experiment matrix over databases, as a table and as results.json.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "bench/base/interrupt.h"
#include "bench/base/lines.h"
#include "bench/base/output_file.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/base/version.h"
#include "bench/cli/commands.h"
#include "bench/cli/machine_flags.h"
#include "bench/cli/run_flags.h"
#include "bench/machine/preflight.h"
#include "bench/model/time_budget.h"
#include "bench/privileges/privileges.h"
#include "bench/ranks/rank_job.h"
#include "bench/report/text/text_reports.h"
#include "bench/results/results_json.h"
#include "bench/results/run_journal.h"
#include "bench/run/made_database.h"
#include "bench/run/matrices.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

std::vector<CellResult> all_cells(const RunOutcome& outcome) {
  std::vector<CellResult> cells = outcome.cells;
  cells.insert(cells.end(), outcome.peer_cells.begin(), outcome.peer_cells.end());
  return cells;
}

RunContext context_of(const RunOutcome& outcome, bool complete) {
  RunContext context = outcome.context;
  context.complete = complete;
  return context;
}

std::string outcome_json_text(const RunOutcome& outcome, bool complete) {
  return results_json(context_of(outcome, complete), all_cells(outcome));
}

class RunCommand {
 public:
  RunCommand(const RunFlags& flags, RunPlan plan)
      : flags_(flags), plan_(std::move(plan)), matrices_(plan_) {}

  Result<int> run() {
    HDB_TRY(check_out());
    HDB_TRY(make_databases());
    HDB_TRY(hold_machine());
    HDB_TRY(matrices_.open());
    if (is_follower()) {
      HDB_TRY(matrices_.serve());
      return kFine;
    }
    if (flags_.google.list) return list_cells();
    HDB_TRY(check_cells());
    HDB_TRY(take_saved());
    look_first();
    const Status status = matrices_.run(keeper());
    outcome_ = matrices_.outcome();
    if (!status.ok()) outcome_.error = status.error();
    return finish();
  }

 private:
  // A rank of an MPI job that has no results of its own.
  static bool is_follower() {
    const RankJob* const job = RankJob::of_process();
    return job != nullptr && job->rank() != 0;
  }

  // What will be written, against every database, before the first is made.
  Status check_out() {
    for (const RunDataset& dataset : plan_.datasets) {
      HDB_TRY(check_outside("--out", flags_.out, dataset.directory));
      HDB_TRY(check_outside("--scratch-dir", flags_.axes.scratch_dir, dataset.directory));
      HDB_TRY(check_outside("--pmem-dir", flags_.axes.pmem_dir, dataset.directory));
    }
    if (is_follower()) return ok_status();
    HDB_TRY(check_output(flags_.output()));
    const Status journal = journal_.begin(flags_.output());
    if (!journal.ok()) tell(fmt::format("note: no rounds are kept: {}", journal.error().message));
    return ok_status();
  }

  // Without a file, or into a pipe, nothing is kept before the end.
  Matrices::Keeper keeper() {
    const auto file = file_of(flags_.output());
    if (!file.ok() || !*file) return {};
    return {[this](const std::vector<CellResult>& cells) { keep_round(cells); },
            [this](const Visit& visit) { keep_visit(visit); }};
  }

  void keep_round(const std::vector<CellResult>& cells) {
    const RunOutcome outcome = matrices_.outcome();
    const Status kept = journal_.append(context_of(outcome, false), all_cells(outcome), cells);
    if (!kept.ok()) tell(fmt::format("note: no more rounds are kept: {}", kept.error().message));
  }

  // What cannot be kept now will be reported at the end.
  void keep_visit(const Visit& visit) {
    if (!write_output(flags_.output(), outcome_json_text(matrices_.outcome(), false)).ok()) return;
    journal_.begin_anew();
    if (!visit.is_whole) return;
    tell(fmt::format("done: {}, {} cells, {}", visit.title, visit.cells,
                     duration_text(visit.seconds)));
  }

  Status make_databases() const {
    for (const RunDataset& dataset : plan_.datasets) {
      if (!dataset.spec) continue;
      if (RankJob::of_process() != nullptr) {
        const auto manifest = datagen::read_manifest(manifest_path(dataset.directory));
        if (manifest.ok() && manifest->complete()) continue;
        return usage_error(
            fmt::format("{}: not there: several ranks make no database: run it "
                        "by one process first",
                        dataset.directory.string()));
      }
      const std::filesystem::path directory = dataset.directory.parent_path();
      HDB_TRY(check_outside_databases("--data-dir", directory));
      std::error_code error;
      std::filesystem::create_directories(directory, error);
      HDB_ASSIGN(const MadeDatabase made,
                 make_database(dataset.directory, *dataset.spec, true, dataset.scale_share));
      tell(fmt::format("{}: {:.2f} GB, {}", dataset.directory.string(),
                       static_cast<double>(made.manifest.bytes()) / 1e9,
                       made.written_bytes != 0 ? "generated now and kept" : "there already"));
    }
    return ok_status();
  }

  // Before the first thread.
  Status hold_machine() {
    if (flags_.google.list) return ok_status();
    HDB_ASSIGN(tiering_, hold_tiering(flags_.axes));
    HDB_TRY(hold_volumes());
    return give_up_set_up();
  }

  // Loading another medium would be held up, and its cells would not be.
  Status hold_volumes() {
    if (flags_.machine.volume.empty()) return ok_status();
    std::vector<std::filesystem::path> directories;
    for (const RunDataset& dataset : plan_.datasets) directories.push_back(dataset.directory);
    for (const RunPart& part : plan_.parts) {
      const std::string& media = part.axes.at("medium");
      if (media == "nvme") continue;
      return usage_error(
          fmt::format("--volume holds a disk: only with --medium nvme, not {}", media));
    }
    HDB_ASSIGN(held_, hold_volume(flags_.machine, directories));
    return ok_status();
  }

  Result<int> list_cells() const {
    std::string text;
    for (const std::string& name : matrices_.cell_names()) text += name + "\n";
    HDB_TRY(print_text(text));
    return kFine;
  }

  // Before anything is estimated or loaded.
  Status check_cells() const {
    const std::vector<std::string> left_out = matrices_.outcome().context.left_out;
    if (matrices_.placement_count() == 0) return nothing_to_run(left_out);
    if (!matrices_.cell_names().empty() || plan_.filter.chooses_all()) return ok_status();
    for (const std::string& line : left_out) tell(fmt::format("not run: {}", line));
    return usage_error(
        "--benchmark_filter: no cell of this run has such a name: --benchmark_list_tests names "
        "them");
  }

  static Error nothing_to_run(const std::vector<std::string>& left_out) {
    return data_error(
        fmt::format("no cell of the matrix can be run here: {}", fmt::join(left_out, "; ")));
  }

  Status take_saved() {
    if (!flags_.resume) {
      if (journal_.is_there()) {
        tell(
            fmt::format("note: {} is of a run that was cut short: --resume goes on from it, else "
                        "it is replaced",
                        journal_.path().string()));
      }
      return ok_status();
    }
    HDB_ASSIGN(std::optional<SavedRun> saved, read_unfinished(flags_.out, journal_.path()));
    if (saved) return matrices_.resume(std::move(*saved));
    tell(fmt::format("resume: {} is not there: all is run", flags_.out));
    return ok_status();
  }

  // Before anything is loaded.
  void look_first() {
    constexpr std::chrono::milliseconds kLook(300);
    std::vector<PreflightNote> notes = preflight(matrices_.scope(), kLook);
    say_preflight(notes);
    for (const std::string& line : matrices_.outcome().context.left_out) {
      tell(fmt::format("not run: {}", line));
    }
    for (const std::string& line : held_.notes) notes.push_back({"volume", line, {}});
    if (const std::string note = ceiling_size_note(flags_.axes); !note.empty()) {
      notes.push_back({"ceilings", note, {}});
    }
    matrices_.add_notes(notes);
    constexpr double kWorthTellingS = 20;
    if (matrices_.estimate_s() <= kWorthTellingS && !plan_.budget_s) return;
    tell(fmt::format("estimate: about {}{}", duration_text(matrices_.estimate_s()), budget_text()));
  }

  std::string budget_text() const {
    if (!plan_.budget_s) return "";
    const std::string budget = duration_text(*plan_.budget_s);
    if (matrices_.estimate_s() <= *plan_.budget_s) return "; the budget is " + budget;
    return fmt::format(", above the budget of {}: repetitions will be left out", budget);
  }

  Result<int> finish() {
    const bool complete = !outcome_.error;
    // What a resumed run could not take over stays where it is.
    const bool keeps_nothing =
        flags_.out.empty() || !matrices_.is_begun() || (interrupted() && outcome_.cells.empty());
    const Status written =
        keeps_nothing ? ok_status()
                      : write_output(flags_.output(), outcome_json_text(outcome_, complete));
    if (written.ok() && !keeps_nothing) journal_.remove();
    // The table is there, whatever became of the file.
    Result<int> printed = print(complete, written.ok() && (flags_.out.empty() || !keeps_nothing));
    if (written.ok()) return printed;
    Error error = written.error();
    if (!printed.ok()) {
      error = printed.error();
      error.message += "; " + written.error().message;
    }
    if (journal_.is_there()) {
      error.message += fmt::format("; {} has finished rounds, and --resume goes on from it",
                                   journal_.path().string());
    }
    return error;
  }

  // What a terminal shows of the cells.
  Result<std::string> shown() const {
    std::vector<SavedRun> runs(1);
    runs.front().file = flags_.out.empty() ? "this run" : flags_.out;
    runs.front().context = outcome_.context;
    runs.front().cells = all_cells(outcome_);
    HDB_ASSIGN(const ReportInput input, merge_runs(std::move(runs)));
    return summary_report(ReportPivot(input), output_look(100));
  }

  Result<int> print(bool complete, bool is_kept) const {
    if (outcome_.cells.empty()) {
      if (outcome_.error) return completed(*outcome_.error, is_kept);
      return nothing_to_run(outcome_.context.left_out);
    }
    std::string text;
    const Status counts = report_counts(text);
    if (flags_.google.json) {
      text = outcome_json_text(outcome_, complete);
    } else {
      HDB_ASSIGN(const std::string cells, shown());
      text = cells + text + paths_text(is_kept);
    }
    HDB_TRY(print_text(text));
    if (outcome_.error) return completed(*outcome_.error, is_kept);
    if (!counts.ok()) return counts.error();
    return kFine;
  }

  // Where the results are, and what shows them.
  std::string paths_text(bool is_kept) const {
    if (!is_kept) return {};
    if (flags_.out.empty())
      return "Nothing is kept: --out FILE keeps results for `hdbench report`.\n";
    const std::string page = std::filesystem::path(flags_.out).stem().string() + ".html";
    return folded(fmt::format("Results kept. A page: hdbench report {} -o {}",
                              shell_word(flags_.out), shell_word(page)),
                  output_look(100).columns, "  ");
  }

  std::size_t finished_visits() const {
    std::size_t visits = 0;
    for (const PlacementCeilings& one : outcome_.context.ceilings.placements) visits += one.visits;
    return visits;
  }

  // What an interrupted run has, and how one goes on.
  Error completed(Error error, bool is_kept) const {
    if (!interrupted()) return error;
    const std::size_t visits = finished_visits();
    const std::size_t cells = outcome_.cells.size();
    if (cells == 0) {
      error.message += ": no cell was measured: nothing is kept";
      return error;
    }
    error.message += fmt::format(": {} of {} {}media and layouts were finished; ", visits,
                                 plan_.reloads * matrices_.placement_count(),
                                 plan_.reloads == 1 ? "" : "visits to ");
    if (!is_kept) {
      error.message += fmt::format("not all of {} cells could be kept", cells);
    } else if (flags_.out.empty()) {
      error.message += fmt::format(
          "nothing is kept; with --out FILE its {} cells would be, and --resume would go on",
          cells);
    } else {
      error.message += fmt::format(
          "{} cells are kept in {}: the same command with --resume goes on", cells, flags_.out);
    }
    return error;
  }

  // "counts: 11 of 11 as expected", or the queries that differ.
  Status report_counts(std::string& text) const {
    const CountCheck check = matrices_.check_counts_of(outcome_.cells);
    if (check.checked == 0) return ok_status();
    text += fmt::format("counts: {} of {} as expected\n", check.as_expected, check.checked);
    if (check.differences.empty()) return ok_status();
    return Error{ErrorKind::kMismatch, fmt::format("{}", fmt::join(check.differences, "; ")), {}};
  }

  const RunFlags& flags_;
  const RunPlan plan_;
  Matrices matrices_;
  RunJournal journal_;
  std::unique_ptr<HeldTiering> tiering_;
  HeldVolume held_;
  RunOutcome outcome_;
};

Result<int> run(const FlagSet& command, RunFlags& flags) {
  HDB_TRY(finish_run_flags(command, flags));
  HDB_ASSIGN(RunPlan plan, plan_run(flags));
  return RunCommand(flags, std::move(plan)).run();
}

}  // namespace

void add_run_command(Commands& commands) {
  auto [command, flags] = commands.add<RunFlags>(
      "run", "Run the experiment: every query under every setting of the axes, timed and compared",
      run);
  add_run_flags(command, flags);
}

}  // namespace hdbench::bench
