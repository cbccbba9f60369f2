#include "bench/machine/kernel_tiering.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "pmem/base/sysfs_text.h"
#include "pmem/machine/numa_nodes.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

fs::path balancing_file(const MachinePaths& paths) {
  return paths.procfs / "sys/kernel/numa_balancing";
}

fs::path demotion_file(const MachinePaths& paths) {
  return paths.sysfs / "kernel/mm/numa/demotion_enabled";
}

// "kdamond 0 (pageout, stat)": its schemes' actions, each once.
std::string described_kdamond(int number, const fs::path& place) {
  std::vector<std::string> actions;
  for (const auto& context : names_below(place / "contexts")) {
    const fs::path schemes = place / "contexts" / context / "schemes";
    for (const auto& scheme : names_below(schemes)) {
      const std::string action = first_line(schemes / scheme / "action");
      if (action.empty()) continue;
      if (std::find(actions.begin(), actions.end(), action) == actions.end())
        actions.push_back(action);
    }
  }
  return fmt::format("kdamond {}{}", number,
                     actions.empty() ? "" : fmt::format(" ({})", fmt::join(actions, ", ")));
}

std::vector<std::string> running_damon(const MachinePaths& paths) {
  std::vector<std::string> running;
  for (const auto& [number, place] : numbered(paths.sysfs / "kernel/mm/damon/admin/kdamonds", "")) {
    if (first_line(place / "state") == "on") running.push_back(described_kdamond(number, place));
  }
  for (const std::string& module : names_below(paths.sysfs / "module", "damon_")) {
    if (first_line(paths.sysfs / "module" / module / "parameters/enabled") == "Y")
      running.push_back(module);
  }
  return running;
}

struct MemoryNodes {
  std::size_t count = 0;
  bool has_tiers = false;  // memory of several tiers, or the kernel does not tell
};

MemoryNodes memory_nodes(const MachinePaths& paths) {
  MemoryNodes nodes;
  std::set<int> tiers;
  bool is_untold = false;
  for (const NumaNode& node : read_numa_nodes(paths)) {
    if (node.memory_bytes == 0) continue;
    ++nodes.count;
    if (node.memory_tier) tiers.insert(*node.memory_tier);
    is_untold = is_untold || !node.memory_tier;
  }
  nodes.has_tiers = nodes.count > 1 && (is_untold || tiers.size() > 1);
  return nodes;
}

struct WantedValue {
  fs::path file;
  std::string value;
  std::string old = {};
};

Error of_tiering(const std::string& word, const std::string& message) {
  return data_error(fmt::format("--tiering {}: {}", word, message));
}

// What the files hold, where all may be written. Nothing is.
Status look_first(const std::string& word, std::vector<WantedValue>& wanted) {
  for (WantedValue& one : wanted) {
    one.old = first_line(one.file);
    if (one.old.empty())
      return of_tiering(word, one.file.string() + ": this kernel has no such setting");
    const FileHandle tried(open(one.file.c_str(), O_WRONLY | O_CLOEXEC));
    if (tried.is_open()) continue;
    return of_tiering(
        word, file_error(one.file, "cannot be set (root may, outside a container)", errno).message);
  }
  return ok_status();
}

}  // namespace

KernelTiering read_kernel_tiering(const MachinePaths& paths) {
  KernelTiering state;
  state.numa_balancing = read_int(balancing_file(paths));
  if (const std::string demotion = first_line(demotion_file(paths)); !demotion.empty())
    state.demotion = demotion == "true" || demotion == "1";
  state.zone_reclaim_mode = read_int(paths.procfs / "sys/vm/zone_reclaim_mode");
  state.damon = running_damon(paths);
  return state;
}

std::vector<PreflightNote> tiering_notes(const MachinePaths& paths) {
  const KernelTiering state = read_kernel_tiering(paths);
  const MemoryNodes nodes = memory_nodes(paths);
  std::vector<PreflightNote> notes;
  if (nodes.count > 1 && state.numa_balancing.value_or(0) != 0) {
    notes.push_back(
        {"numa-balancing",
         fmt::format("kernel.numa_balancing is {}: pages move between nodes in the middle of a "
                     "run, and their faults are in its times; as root: --tiering off, or sysctl "
                     "kernel.numa_balancing=0",
                     *state.numa_balancing)});
  }
  if (nodes.has_tiers && state.demotion.value_or(false)) {
    notes.push_back({"demotion",
                     "the kernel demotes pages to slower memory when a node fills: what is placed "
                     "on DRAM may move to CXL or persistent memory; as root: --tiering off, or "
                     "echo false > /sys/kernel/mm/numa/demotion_enabled"});
  }
  if (nodes.count > 1 && state.zone_reclaim_mode.value_or(0) != 0) {
    notes.push_back(
        {"zone-reclaim",
         fmt::format("vm.zone_reclaim_mode is {}: a node that is full drops its page cache instead "
                     "of using another node, so warm files grow cold; as root: sysctl "
                     "vm.zone_reclaim_mode=0",
                     *state.zone_reclaim_mode)});
  }
  if (!state.damon.empty()) {
    notes.push_back(
        {"damon", fmt::format("DAMON runs, {}: it watches accesses, and its schemes may page out "
                              "or move what the queries use; as root: echo off > "
                              "/sys/kernel/mm/damon/admin/kdamonds/N/state, or N > "
                              "/sys/module/damon_*/parameters/enabled",
                              fmt::join(state.damon, ", "))});
  }
  return notes;
}

std::vector<fs::path> HeldTiering::files(const MachinePaths& paths) {
  return {balancing_file(paths), demotion_file(paths)};
}

Result<std::unique_ptr<HeldTiering>> HeldTiering::hold(const std::string& word,
                                                       const MachinePaths& paths) {
  const bool is_off = word == kTieringOff;
  if (!is_off && word != kTieringNuma) {
    return usage_error(fmt::format("--tiering: unknown value '{}': known are {}, {}", word,
                                   kTieringOff, kTieringNuma));
  }
  std::vector<WantedValue> wanted = {{balancing_file(paths), is_off ? "0" : "2"}};
  // A kernel without demotion demotes nothing.
  if (!is_off || !first_line(demotion_file(paths)).empty())
    wanted.push_back({demotion_file(paths), is_off ? "false" : "true"});
  HDB_TRY(look_first(word, wanted));
  std::unique_ptr<HeldTiering> held(new HeldTiering());
  held->lock_ = FileHandle(open(balancing_file(paths).c_str(), O_RDONLY | O_CLOEXEC));
  if (flock(held->lock_.descriptor(), LOCK_EX | LOCK_NB) != 0)
    return of_tiering(word, "another hdbench has set the kernel's tiering and is not done");
  // Now no other program changes what is to be set back.
  for (WantedValue& one : wanted) one.old = first_line(one.file);
  std::erase_if(wanted, [](const WantedValue& one) { return one.old == one.value; });
  if (wanted.empty()) return held;
  HDB_ASSIGN(held->guard_, Guard::start());
  for (const WantedValue& one : wanted) {
    HDB_TRY(held->guard_->add({Undo::kWrite, one.file.string(), one.old}));
    const Status written = write_setting(one.file, one.value);
    if (!written.ok()) return of_tiering(word, written.error().message);
    const std::string now = first_line(one.file);
    if (now == one.value) continue;
    return of_tiering(word,
                      fmt::format("{}: it is {}, expected {}", one.file.string(), now, one.value));
  }
  return held;
}

}  // namespace hdbench::bench
