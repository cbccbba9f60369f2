// hdbench topo: what this machine has, and which media are real here.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "bench/base/json_value.h"
#include "bench/base/lines.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/machine/preflight.h"
#include "bench/machine/topo_report.h"
#include "bench/profiles/profiles.h"
#include "engine/base/thread_pool.h"
#include "pmem/media/media_list.h"

namespace hdbench::bench {
namespace {

struct TopoFlags {
  std::vector<std::string> paths;
  std::string pmem_dir;
  bool json = false;
  bool advice = false;
  bool profiles = false;
  std::string want;
  std::string sysfs = MachinePaths{}.sysfs;
  std::string procfs = MachinePaths{}.procfs;
};

TopoReport look(const TopoFlags& flags) {
  const MachinePaths paths{flags.sysfs, flags.procfs};
  MediumOptions options;
  options.pmem_dir = flags.pmem_dir;
  TopoReport report;
  report.host = read_host(usable_cpus().size(), paths.procfs, paths.sysfs);
  report.machine = read_machine(paths);
  report.paths =
      report_paths({flags.paths.begin(), flags.paths.end()}, report.machine, paths.sysfs);
  report.media = list_media(options, report.machine, probe_pmem);
  SetupWish wish{flags.want, {}};
  const std::filesystem::path place(flags.pmem_dir);
  if (names_dax_device(place)) wish.devdax = place.filename().string();
  report.setup = setup_steps(report.machine, wish);
  return report;
}

// What preflight has to say of the machine and of the disks below the paths, whole.
std::string advice(const TopoFlags& flags) {
  constexpr std::chrono::milliseconds kLook(300);
  PreflightScope scope;
  scope.cold_paths = {flags.paths.begin(), flags.paths.end()};
  std::error_code failed;
  if (scope.cold_paths.empty()) scope.cold_paths = {std::filesystem::current_path(failed)};
  std::string text;
  for (const PreflightNote& note : preflight(scope, kLook, {flags.sysfs, flags.procfs}))
    text += folded(note.name + ": " + note.text, 100, "  ");
  return text.empty() ? "nothing is known that would disturb figures\n" : text;
}

Result<int> list_profiles(bool as_json) {
  HDB_ASSIGN(const std::string text,
             as_json ? profiles_json() : profiles_text(output_look(100).columns));
  HDB_TRY(print_text(text));
  return kFine;
}

Result<int> topo(const FlagSet&, TopoFlags& flags) {
  if (!flags.want.empty()) HDB_TRY(check_word("--want", flags.want, {"system-ram", "devdax"}));
  if (flags.profiles) return list_profiles(flags.json);
  for (const std::string& path : flags.paths) {
    if (::access(path.c_str(), F_OK) == 0) continue;
    return data_error(fmt::format("{}: {}", path, std::generic_category().message(errno)));
  }
  if (flags.advice) {
    HDB_TRY(print_text(advice(flags)));
    return kFine;
  }
  const TopoReport report = look(flags);
  HDB_TRY(print_text(flags.json ? json_text(topo_json(report)) : topo_text(report)));
  return kFine;
}

}  // namespace

void add_topo_command(Commands& commands) {
  auto [command, flags] = commands.add<TopoFlags>(
      "topo", "Show what this machine has, and which media are real here", topo);
  command.add("PATH", "", flags.paths,
              "show the filesystem and the device below (else those of the current and the "
              "temporary directory)");
  command.add_flag(
      "--profiles", flags.profiles,
      "the device profiles that media can be emulated by: name, kind, GB/s, ns, source");
  command.add("--want", "WORD", flags.want,
              "what DAX devices are wanted as: system-ram (a node) or devdax; topo prints the "
              "commands that bring those there that are not. Default: CXL and reserved memory as "
              "system-ram, persistent memory and --pmem-dir as devdax");
  command.add_flag("--json", flags.json, "as JSON");
  command.add_flag("--advice", flags.advice,
                   "instead, what may disturb figures here and below PATH, and what to do (the "
                   "whole text of what run, io and profile say first)");
  command.add_path("--pmem-dir", PathUse::kWritesIntoDirectory, flags.pmem_dir,
                   "a directory on a DAX mount or a tmpfs, or device DAX, to look at as well");
  // For tests: trees of another machine.
  command.add("--sysfs", "TEXT", flags.sysfs, "").hide();
  command.add("--procfs", "TEXT", flags.procfs, "").hide();
  command.examples({"hdbench topo", "hdbench topo /mnt/disk --json", "hdbench topo --profiles"});
}

}  // namespace hdbench::bench
