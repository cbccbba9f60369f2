// hdbench io: storage primitives of one directory or of several together.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>

#include "bench/base/interrupt.h"
#include "bench/base/output_file.h"
#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/base/reproduce_command.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/cli/machine_flags.h"
#include "bench/machine/preflight.h"
#include "bench/model/time_budget.h"
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

Status check_flags(const IoFlags& flags) {
  if (flags.format != "table" && flags.format != "csv") {
    return usage_error(
        fmt::format("--format: unknown value '{}': known are table, csv", flags.format));
  }
  return check_output({"--out", flags.out, flags.force});
}

Result<int> list_names(const IoOptions& options) {
  HDB_ASSIGN(const std::vector<std::string> names, list_io(options));
  TextSink sink = standard_output();
  for (const std::string& name : names) sink.text() += name + "\n";
  HDB_TRY(sink.finish());
  return kFine;
}

Result<int> io(const IoFlags& flags) {
  HDB_TRY(check_flags(flags));
  HDB_ASSIGN(const IoOptions options, options_of(flags));
  HDB_TRY(check_machine_flags(flags.machine));
  if (flags.list) return list_names(options);
  if (!flags.machine.compare.empty())
    return run_comparison(flags.machine, options, {"--out", flags.out, flags.force});
  HDB_ASSIGN(const IoOptions checked, checked_options(options));
  HDB_ASSIGN(const HeldVolume held, hold_volume(flags.machine, checked.targets));
  const std::vector<std::string> warnings = tell_preflight();
  Result<IoRun> run = [&] {
    Progress progress("io");
    return run_io(checked, [&](std::size_t done, std::size_t total, std::string_view what) {
      progress.show(done, total, what);
      return !interrupted().load();
    });
  }();
  if (!run.ok()) return run.error();
  run->left_out.insert(run->left_out.end(), held.notes.begin(), held.notes.end());
  run->preflight = warnings;
  TextSink sink = standard_output();
  sink.text() = flags.format == "csv" ? io_csv(*run) : io_table(*run);
  HDB_TRY(sink.finish());
  HDB_TRY(write_output({"--out", flags.out, flags.force}, io_json(*run, reproduce_command())));
  return kFine;
}

void add_flags(FlagSet& command, IoFlags& flags) {
  command
      .add_option("PATH", flags.paths,
                  "directories to measure; processes are spread over several in turn")
      .path_without_type(PathUse::kWritesIntoDirectory);
  command.group("Settings");
  command.add_flag("--quick", flags.quick,
                   "every test small and short: to see that it works; not with --volume");
  command
      .add_option("--processes", flags.processes,
                  "how many at once: a comma list of 1 to 64, or all; default 1,all")
      .type_name("LIST");
  command
      .add_option(
          "--tests", flags.tests,
          "only those in whose name this regular expression is found; after a -, only the others")
      .type_name("REGEX");
  command
      .add_option("--size", flags.size_mib,
                  "MiB of the huge vector of all processes together; the disk needs six times it, "
                  "less where --tests only reads; default 512, with --compare 64")
      .type_name("N");
  command.group("Repetition");
  command
      .add_option("--reps", flags.reps,
                  "repetitions; a figure is their median; default 5, --quick 1")
      .type_name("N");
  command
      .add_option("--pass-seconds", flags.pass_seconds,
                  "a repetition of many operations ends after so long")
      .type_name("S")
      .capture_default_str();
  command
      .add_option("--budget", flags.budget,
                  "after which repetitions are left out, tests are not (90s, 5m; a bare number is "
                  "minutes); default: none")
      .type_name("TIME");
  command.add_option("--seed", flags.seed, "of the data and of the tests' random order")
      .type_name("N")
      .capture_default_str();
  command.group("Output");
  command.add_option("--out", flags.out, "write results.json here").path(PathUse::kWritesFile);
  command.add_flag("--force", flags.force, kForceHelp);
  command.add_option("--format", flags.format, "table or csv")
      .type_name("WORD")
      .capture_default_str();
  command.add_flag("--list", flags.list, "the tests' names; nothing is run or written");
  command.group("Filesystems and volumes");
  add_machine_flags(command, flags.machine);
  command.examples({"hdbench io /mnt/disk --out io.json",
                    "hdbench io /mnt/disk --quick --tests read",
                    "hdbench io /mnt/disk --compare fs:xfs,ext4,btrfs"});
}

}  // namespace

void add_io_command(FlagSet& app, ChosenCommand& chosen) {
  FlagSet command = app.add_command(
      "io", "Storage primitives of a directory: reads, writes, appends, metadata, by processes");
  const auto flags = std::make_shared<IoFlags>();
  add_flags(command, *flags);
  command.callback([flags, &chosen] {
    chosen = [flags] {
      const Result<int> status = io(*flags);
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench::bench
