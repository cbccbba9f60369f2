// hdbench io: storage primitives of one directory or of several together.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "bench/base/interrupt.h"
#include "bench/base/output_file.h"
#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/base/version.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/commands.h"
#include "bench/cli/machine_flags.h"
#include "bench/machine/preflight.h"
#include "bench/model/time_budget.h"
#include "bench/ranks/rank_job.h"
#include "bench/ranks/shared_partitions.h"
#include "bench/storage/io_ranks.h"
#include "bench/storage/io_results.h"
#include "bench/storage/io_run.h"
#include "bench/storage/io_tests.h"
#include "engine/base/thread_pool.h"

namespace hdbench::bench {
namespace {

struct IoFlags {
  std::vector<std::string> paths;
  std::string processes;
  std::string tests;
  std::string out;
  bool force = false;
  std::string format = "table";
  std::optional<std::size_t> size_mib;
  std::optional<std::size_t> reps;
  std::optional<std::string> budget;
  std::uint64_t seed = 1;
  double pass_seconds = 0.25;
  double rank_timeout_s = RankJob::kTimeoutSeconds;
  bool quick = false;
  bool list = false;
  MachineFlags machine;
};

constexpr std::size_t kReps = 5;
constexpr std::size_t kSizeMib = 512;
// Small enough for several rounds in the time that a comparison may take.
constexpr std::size_t kSizeOfComparisonMib = 64;

// "1,2,all". Errors: kUsage, naming the word.
Result<std::vector<std::size_t>> parse_processes(const std::string& text) {
  const std::size_t all = std::min(usable_cpus().size(), kIoProcessesMax);
  if (text.empty()) {
    return all > 1 ? std::vector<std::size_t>{1, all} : std::vector<std::size_t>{1, 2};
  }
  std::vector<std::size_t> counts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    std::size_t count = 0;
    const auto [stopped, failed] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (word == "all") {
      count = all;
    } else if (failed != std::errc() || stopped != word.data() + word.size()) {
      return usage_error(fmt::format("--processes: '{}' is no number from 1 to {}, nor all", word,
                                     kIoProcessesMax));
    }
    counts.push_back(count);
    at = end + 1;
  }
  return counts;
}

Result<IoOptions> options_of(const IoFlags& flags) {
  if (flags.quick && !flags.machine.volume.empty()) {
    return usage_error(
        "--quick: not with --volume: its passes are over before the throttle's first slice");
  }
  IoOptions options;
  for (const std::string& path : flags.paths) options.targets.emplace_back(path);
  if (flags.list && options.targets.empty()) options.targets.emplace_back(".");
  HDB_ASSIGN(options.processes, parse_processes(flags.processes));
  const std::size_t usual = flags.machine.compare.empty() ? kSizeMib : kSizeOfComparisonMib;
  options.bytes = static_cast<std::uint64_t>(flags.size_mib.value_or(usual)) << 20;
  options.quick = flags.quick;
  options.tests = flags.tests;
  options.reps = flags.reps.value_or(flags.quick ? 1 : kReps);
  options.seed = flags.seed;
  if (!(flags.pass_seconds > 0 && flags.pass_seconds <= 3600)) {
    return usage_error(
        fmt::format("--pass-seconds: {}, expected more than 0, at most 3600", flags.pass_seconds));
  }
  options.pass_seconds = flags.pass_seconds;
  if (flags.budget) {
    HDB_ASSIGN(options.budget_s, parse_duration("--budget", *flags.budget));
  }
  return options;
}

Status check_io_flags(const IoFlags& flags, bool by_ranks) {
  if (by_ranks && (!flags.machine.compare.empty() || !flags.machine.volume.empty()))
    return usage_error("--compare, --volume: for one process, not under mpirun");
  return check_word("--format", flags.format, {"table", "csv"});
}

Result<int> list_names(const IoOptions& options) {
  HDB_ASSIGN(const std::vector<std::string> names, list_io(options));
  HDB_TRY(print_text(fmt::format("{}\n", fmt::join(names, "\n"))));
  return kFine;
}

// `job`: null: this process alone.
Result<int> io_of_rank(const IoFlags& flags, Ranks* job) {
  IoRanks ranks(job);
  const bool tells = ranks.rank() == 0;
  HDB_TRY(ranks.agree(check_io_flags(flags, job != nullptr)));
  HDB_TRY(ranks.agree(set_rank_timeout(flags.rank_timeout_s)));
  const OutputFile out{"--out", flags.out, flags.force};
  HDB_TRY(ranks.agree(tells ? check_output(out) : ok_status()));
  HDB_ASSIGN(const IoOptions options, ranks.agree(options_of(flags)));
  HDB_TRY(ranks.agree(check_machine_flags(flags.machine)));
  if (flags.list) return tells ? list_names(options) : Result<int>(kFine);
  if (!flags.machine.compare.empty()) return run_comparison(flags.machine, options, out);
  HDB_ASSIGN(const IoOptions checked, ranks.agree(checked_options(options)));
  HDB_ASSIGN(const HeldVolume held, hold_volume(flags.machine, checked.targets));
  const std::vector<std::string> warnings = ranks.exchange_lines(
      tells ? tell_preflight() : preflight_lines(preflight({}, kPreflightLook)));
  Result<IoRun> run = [&] {
    Progress progress("io");
    return run_io(
        checked,
        [&](std::size_t done, std::size_t total, std::string_view what) {
          if (tells) progress.show(done, total, what);
          return !interrupted().load();
        },
        job);
  }();
  if (!run.ok()) return run.error();
  run->left_out.insert(run->left_out.end(), held.notes.begin(), held.notes.end());
  run->preflight = warnings;
  if (!tells) return kFine;
  const std::string launched = job == nullptr ? "" : fmt::format("mpirun -n {} ", ranks.count());
  HDB_TRY(print_text(flags.format == "csv" ? io_csv(*run) : io_table(*run)));
  HDB_TRY(write_output(out, io_json(*run, launched + reproduce_command())));
  return kFine;
}

Result<int> io(const FlagSet&, IoFlags& flags) {
  RankJob* const job = RankJob::of_process();
  if (job == nullptr) return io_of_rank(flags, nullptr);
  SharedPartitions ranks(*job, {});
  Result<int> status = io_of_rank(flags, &ranks);
  // An error is the same on all ranks, and rank 0's to tell.
  return job->rank() == 0 ? std::move(status) : Result<int>(kFine);
}

void add_flags(FlagSet& command, IoFlags& flags) {
  command
      .add_path("PATH", PathUse::kWritesIntoDirectory, flags.paths,
                "directories to measure; processes are spread over several in turn")
      .without_type();
  command.group("Settings");
  command.add_flag("--quick", flags.quick,
                   "every test small and short: to see that it works; not with --volume");
  command.add("--processes", "LIST", flags.processes,
              "how many at once: a comma list of 1 to 64, or all; default 1,all");
  command.add(
      "--tests", "REGEX", flags.tests,
      "only those in whose name this regular expression is found; after a -, only the others");
  command.add("--size", "N", flags.size_mib,
              "MiB of the huge vector of all processes together; the disk needs six times it, "
              "less where --tests only reads; default 512, with --compare 64");
  command.group("Repetition");
  command.add("--reps", "N", flags.reps,
              "repetitions; a figure is their median; default 5, --quick 1");
  command.add("--pass-seconds", "S", flags.pass_seconds,
              "a repetition of many operations ends after so long");
  command.add("--budget", "TIME", flags.budget,
              "after which repetitions are left out, tests are not (90s, 5m; a bare number is "
              "minutes); default: none");
  command.add("--seed", "N", flags.seed, "of the data and of the tests' random order");
  command.group("Several machines (mpirun -n N hdbench io ...)");
  add_rank_timeout(command, flags.rank_timeout_s);
  command.group("Output");
  command.add_path("--out", PathUse::kWritesFile, flags.out, "write results.json here");
  command.add_flag("--force", flags.force, kForceHelp);
  command.add("--format", "WORD", flags.format, "table or csv");
  command.add_flag("--list", flags.list, "the tests' names; nothing is run or written");
  command.group("Filesystems and volumes");
  add_machine_flags(command, flags.machine);
  command.examples({"hdbench io /mnt/disk --out io.json",
                    "hdbench io /mnt/disk --quick --tests read",
                    "hdbench io /mnt/disk --compare fs:xfs,ext4,btrfs",
                    "mpirun -n 4 --host a,b,c,d hdbench io /mnt/shared"});
}

}  // namespace

void add_io_command(Commands& commands) {
  auto [command, flags] = commands.add<IoFlags>(
      "io", "Storage primitives of a directory: reads, writes, appends, metadata, by processes",
      io);
  add_flags(command, flags);
}

}  // namespace hdbench::bench
