// The flags of `hdbench io` that change the machine while it runs (comparison of filesystems,
// volume classes) and their execution. Changes are undone however the command ends (guard.h).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/guard.h"
#include "bench/base/output_file.h"
#include "bench/cli/flag_set.h"
#include "bench/storage/io_run.h"
#include "bench/storage/volumes/throttled_volume.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct MachineFlags {
  std::string compare;
  std::string device;
  bool yes = false;
  std::string volume;
  std::optional<double> credits;

  // The volume class of the disk, for names: "gp3", "gp2;credits=5"; empty: none.
  std::string volume_word() const;
};

void add_machine_flags(FlagSet& command, MachineFlags& flags);
// --volume and --credits alone.
void add_volume_flags(FlagSet& command, MachineFlags& flags);

// Errors: kUsage: flags that do not go together.
Status check_machine_flags(const MachineFlags& flags);

// --compare: prints the tables, says on standard error what was left out, and writes `out` (where
// it is not empty) as `hdbench io` writes its results, each name with its filesystem. Gives the
// exit status.
Result<int> run_comparison(const MachineFlags& flags, const IoOptions& options,
                           const OutputFile& out);

// --volume: this process is held to the class as long as this lives.
struct HeldVolume {
  std::unique_ptr<Guard> guard;
  std::unique_ptr<ThrottledVolume> volume;  // out of the group before the guard removes it
  std::vector<std::string> notes;           // what is held, and what the throttle cannot do
};

// Nothing without --volume. Says on standard error what is held, and what the throttle cannot do.
// Requires: this process has one thread. Errors: kUsage: no such class, or the paths are on several
// disks; kData: no throttle here, by name.
Result<HeldVolume> hold_volume(const MachineFlags& flags,
                               const std::vector<std::filesystem::path>& paths);

}  // namespace hdbench::bench
