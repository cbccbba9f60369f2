#include "bench/cli/machine_flags.h"

#include <fmt/format.h>

#include <cstdio>

#include "bench/base/interrupt.h"
#include "bench/base/number_text.h"
#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/base/version.h"
#include "bench/machine/preflight.h"
#include "bench/privileges/privileges.h"
#include "bench/storage/filesystems/filesystem_comparison.h"
#include "bench/storage/io_results.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

constexpr std::string_view kCompareWhat = "fs:";
constexpr double kBudgetSeconds = 9 * 60;

void say(const std::string& line) { tell("hdbench: " + line); }

Result<ComparisonOptions> comparison_options(const MachineFlags& flags, const IoOptions& io) {
  if (!flags.compare.starts_with(kCompareWhat)) {
    return usage_error(fmt::format("--compare: '{}': expected fs: and names, as fs:xfs,ext4,btrfs",
                                   flags.compare));
  }
  ComparisonOptions options;
  HDB_ASSIGN(options.kinds,
             parse_filesystems(std::string_view(flags.compare).substr(kCompareWhat.size())));
  if (options.kinds.size() < 2) {
    return usage_error(fmt::format("--compare: {} alone has nothing to be compared with",
                                   options.kinds.front().name));
  }
  if (io.targets.size() > 1) {
    return usage_error("--compare: give one PATH, where the filesystems' image is to lie");
  }
  options.io = io;
  options.directory = io.targets.empty() ? "." : io.targets.front();
  options.device = flags.device;
  options.yes = flags.yes;
  options.budget_s = io.budget_s.value_or(kBudgetSeconds);
  if (io.quick) options.rounds = 1;
  return options;
}

std::string comparison_text(const FilesystemComparison& comparison) {
  const FilesystemTable table = filesystem_table(comparison.figures);
  return filesystem_text(table) +
         fmt::format("{}{}; medians of all rounds; {}\n", counted(comparison.rounds, "round"),
                     comparison.complete ? "" : " (the budget left out others)", comparison.place);
}

}  // namespace

std::string MachineFlags::volume_word() const {
  if (volume.empty() || !credits) return volume;
  return fmt::format("{};credits={:g}", volume, *credits);
}

void add_volume_flags(FlagSet& command, MachineFlags& flags) {
  command.add("--volume", "CLASS", flags.volume,
              "hold the disk to a class by the kernel's throttle (root): gp2, gp3, io1, io2, "
              "st1, an instance (r4.4xlarge, r4.16xlarge), both with a comma between, or a "
              "profile");
  command.add("--credits", "N", flags.credits,
              "what is in the class's bucket at first (I/Os or bytes); default: it is full");
}

void add_machine_flags(FlagSet& command, MachineFlags& flags) {
  command.add("--compare", "LIST", flags.compare,
              "fs:xfs,ext4,btrfs: each made, mounted and measured in turn, in a file below "
              "PATH (root); prints ratios to the first");
  command.add_path("--device", PathUse::kOverwritesDevice, flags.device,
                   "with --compare: on this block device, which is overwritten");
  command.add_flag("--yes", flags.yes, "with --device: overwrite it whatever it holds");
  add_volume_flags(command, flags);
}

Status check_machine_flags(const MachineFlags& flags) {
  if (flags.compare.empty() && !flags.device.empty()) {
    return usage_error("--device: only with --compare");
  }
  if (flags.yes && flags.device.empty()) return usage_error("--yes: only with --device");
  if (!flags.compare.empty() && !flags.volume.empty()) {
    return usage_error("--compare: not with --volume");
  }
  if (flags.credits && flags.volume.empty()) return usage_error("--credits: only with --volume");
  if (flags.credits && !(*flags.credits >= 0)) {
    return usage_error(fmt::format("--credits: {}, expected 0 or more", *flags.credits));
  }
  return ok_status();
}

Result<int> run_comparison(const MachineFlags& flags, const IoOptions& options,
                           const OutputFile& out) {
  HDB_ASSIGN(const ComparisonOptions wanted, comparison_options(flags, options));
  HDB_TRY(check_outside_databases("PATH", wanted.directory));
  const std::vector<std::string> warnings = tell_preflight();
  Result<FilesystemComparison> comparison = [&] {
    Progress progress("filesystems");
    return compare_filesystems(wanted, interrupted(),
                               [&](std::size_t done, std::size_t total, std::string_view what) {
                                 progress.show(done, total, what);
                               });
  }();
  if (!comparison.ok()) return comparison.error();
  for (const std::string& line : comparison->left_out) say("left out: " + line);
  for (const std::string& place : comparison->places) say(place);
  say("on " + comparison->place);
  HDB_TRY(print_text(comparison_text(*comparison)));
  IoRun whole = joined(*comparison);
  whole.preflight = warnings;
  HDB_TRY(write_output(out, io_json(whole, reproduce_command())));
  return kFine;
}

Result<HeldVolume> hold_volume(const MachineFlags& flags,
                               const std::vector<std::filesystem::path>& paths) {
  HeldVolume held;
  if (flags.volume.empty()) return held;
  HDB_ASSIGN(const VolumeClass volume, volume_class(flags.volume));
  std::string number, name;
  for (const auto& path : paths) {
    HDB_ASSIGN(const WholeDisk disk, whole_disk(path));
    if (!number.empty() && disk.number != number) {
      return usage_error(fmt::format("--volume: one disk is held at a time: {} is on {}, not on {}",
                                     path.string(), disk.name, name));
    }
    number = disk.number;
    name = disk.name;
  }
  HDB_ASSIGN(held.guard, Guard::start());
  HDB_ASSIGN(held.volume,
             ThrottledVolume::enter(volume, {number, flags.credits, give_up_set_up}, *held.guard));
  held.notes = held.volume->shortcomings();
  held.notes.insert(held.notes.begin(),
                    fmt::format("{} is held to {}", name, held.volume->describe()));
  for (const std::string& line : held.notes) say(line);
  return held;
}

}  // namespace hdbench::bench
