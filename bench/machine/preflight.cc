#include "bench/machine/preflight.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <thread>

#include "bench/base/lines.h"
#include "bench/base/report_error.h"
#include "bench/machine/host.h"
#include "bench/machine/kernel_tiering.h"
#include "bench/machine/memory_probe.h"
#include "bench/machine/other_load.h"
#include "bench/machine/setting_notes.h"
#include "engine/base/thread_pool.h"
#include "pmem/base/cgroup_limits.h"
#include "pmem/base/free_room.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

double gb(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e9; }

void look_at_frequency(const MachinePaths& paths, std::vector<PreflightNote>& notes) {
  const auto cpus = paths.sysfs / "devices/system/cpu";
  for (const std::string& cpu : names_below(cpus, "cpu")) {
    const std::string governor = first_line(cpus / cpu / "cpufreq/scaling_governor");
    if (governor.empty() || governor == "performance") continue;
    notes.push_back(
        {"frequency",
         fmt::format("the CPUs' clock is left to '{}': short queries may run at a lower "
                     "one; set the governor to performance",
                     governor)});
    return;
  }
}

// How long, in microseconds, an idle CPU may take to come back, as processes ask for it together
// (Linux, Documentation/power/pm_qos_interface.rst); only root may read it.
std::optional<std::int32_t> requested_latency(const MachinePaths& paths) {
  std::int32_t microseconds = 0;
  std::ifstream stream(paths.devfs / "cpu_dma_latency", std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(&microseconds), sizeof(microseconds)))
    return std::nullopt;
  return microseconds;
}

// Of the idle states that are in use, none of which may take longer than is requested, the longest
// way out, in microseconds.
int longest_wake(std::optional<std::int32_t> limit, const MachinePaths& paths) {
  int longest = 0;
  for (const auto& [number, state] :
       numbered(paths.sysfs / "devices/system/cpu/cpu0/cpuidle", "state")) {
    if (first_line(state / "disable") == "1") continue;
    const int microseconds = read_int(state / "latency").value_or(0);
    if (!limit || microseconds <= *limit) longest = std::max(longest, microseconds);
  }
  return longest;
}

void look_at_idle(const MachinePaths& paths, std::vector<PreflightNote>& notes) {
  const std::optional<std::int32_t> limit = requested_latency(paths);
  if (limit == 0) return;
  std::string remedy =
      "While measuring, hold /dev/cpu_dma_latency at 0 as root: exec "
      "9<>/dev/cpu_dma_latency; printf '\\0\\0\\0\\0' >&9";
  if (!limit) remedy += " (whether somebody does cannot be seen from here)";
  // A virtual machine's driver, which may look for work a while before it halts the CPU.
  const bool halts =
      first_line(paths.sysfs / "devices/system/cpu/cpuidle/current_driver") == "haltpoll" &&
      first_line(paths.sysfs / "module/haltpoll/parameters/guest_halt_poll_ns") == "0";
  constexpr int kLongMicroseconds = 100;  // about what a flash disk's read takes
  const int wake = longest_wake(limit, paths);
  if (halts) {
    notes.push_back({"idle", fmt::format("an idle CPU is halted at once, and a hypervisor has to "
                                         "wake it: a read that waits for a device waits longer "
                                         "(seen: random reads of 4 KiB, one at a time, 98 MB/s, "
                                         "not 297). {}",
                                         remedy)});
  } else if (wake >= kLongMicroseconds) {
    notes.push_back({"idle", fmt::format("an idle CPU takes up to {} us to come back: a read that "
                                         "waits for a device waits longer. {}",
                                         wake, remedy)});
  }
}

void look_at_huge_pages(const MachinePaths& paths, std::vector<PreflightNote>& notes) {
  if (chosen_word(first_line(paths.sysfs / "kernel/mm/transparent_hugepage/enabled")) != "never")
    return;
  notes.push_back({"huge-pages",
                   "transparent huge pages are off (never): tables in memory stand on small pages; "
                   "set transparent_hugepage/enabled to madvise"});
}

// A balloon that reports free pages (virtio 1.2, 5.5: device 5, feature bit 5) hands them to the
// host 2 s after they became free, in blocks of 2^order pages and more (Linux,
// mm/page_reporting.c).
bool reports_free_pages(const MachinePaths& paths) {
  constexpr std::size_t kReportingBit = 5;
  const auto devices = paths.sysfs / "bus/virtio/devices";
  for (const std::string& name : names_below(devices)) {
    const std::string features = first_line(devices / name / "features");
    if (first_line(devices / name / "device") == "0x0005" && features.size() > kReportingBit &&
        features[kReportingBit] == '1')
      return true;
  }
  return false;
}

void look_at_free_memory(const MachinePaths& paths, std::vector<PreflightNote>& notes) {
  if (!reports_free_pages(paths)) return;
  const auto order_file = paths.sysfs / "module/page_reporting/parameters/page_reporting_order";
  // The largest block of free pages, as Linux is built for pages of 4 KiB and of 64.
  const int largest = ::sysconf(_SC_PAGESIZE) > 4096 ? 13 : 10;
  int order = 0;
  if (std::ifstream(order_file) >> order && order > largest) return;
  notes.push_back(
      {"free-memory",
       fmt::format("the hypervisor takes back what has been free for 2 s: what is read cold or "
                   "loaded then waits for its memory, not for the medium (seen: first touches at "
                   "0.3 GB/s, not 1.4; cold reads apart by 40 to 280 %, not 10). While measuring, "
                   "where you may: echo {} > {}, or, where the kernel refuses that, unbind the "
                   "driver virtio_balloon",
                   largest + 1, order_file.string())});
}

// Nodes whose CPUs this process may use: those of its Mems_allowed that have CPUs.
void look_at_nodes(const MachinePaths& paths, std::vector<PreflightNote>& notes) {
  std::size_t nodes = 0;
  for (const auto& [number, node] : numbered(paths.sysfs / "devices/system/node", "node"))
    if (!first_line(node / "cpulist").empty()) ++nodes;
  if (nodes < 2) return;
  notes.push_back({"numa", fmt::format("{} NUMA nodes have CPUs: memory is far from some threads; "
                                       "bind the run to one (numactl --cpunodebind, --membind)",
                                       nodes)});
}

void look_at_memory(const std::optional<MemoryNeed>& need, const MachinePaths& paths,
                    std::vector<PreflightNote>& notes) {
  const auto swap = memory_figure("SwapTotal", paths.procfs);
  const auto swap_free = memory_figure("SwapFree", paths.procfs);
  constexpr std::uint64_t kSwapBytes = 64 << 20;
  if (swap && swap_free && *swap > *swap_free + kSwapBytes) {
    notes.push_back({"swap", fmt::format("{:.1f} GB are swapped out: what is timed may be read "
                                         "back from there; run swapoff",
                                         gb(*swap - *swap_free))});
  }
  const auto dirty = memory_figure("Dirty", paths.procfs);
  constexpr std::uint64_t kDirtyBytes = std::uint64_t{512} << 20;
  if (dirty && *dirty > kDirtyBytes) {
    notes.push_back({"dirty", fmt::format("{:.1f} GB of the page cache are waiting to be written: "
                                          "they will be, beside the cells; run sync first",
                                          gb(*dirty))});
  }
  const auto available = available_memory(paths);
  if (need && available && need->bytes > *available) {
    notes.push_back({"memory", fmt::format("{} takes {:.1f} GB and {:.1f} GB are available: it "
                                           "will be swapped or killed",
                                           need->what, gb(need->bytes), gb(*available))});
  }
}

void look_at_load(std::chrono::milliseconds look, const MachinePaths& paths,
                  std::vector<PreflightNote>& notes) {
  const auto before = read_cpu_ticks(paths);
  std::this_thread::sleep_for(look);
  const auto after = read_cpu_ticks(paths);
  if (!before || !after) return;
  if (auto note = load_note(*before, *after)) notes.push_back(std::move(*note));
}

void take_note(std::optional<PreflightNote> note, std::vector<PreflightNote>& notes) {
  if (note) notes.push_back(std::move(*note));
}

void look_at_disks(const std::vector<std::filesystem::path>& cold_paths, const MachinePaths& paths,
                   std::vector<PreflightNote>& notes) {
  if (cold_paths.empty()) return;
  const std::vector<Mount> mounts = read_mounts(paths);
  std::vector<std::string> disks;
  for (const auto& path : cold_paths) {
    const auto mount = mount_of(mounts, path);
    const auto device = mount ? read_block_device(paths.sysfs, mount->block_device) : std::nullopt;
    if (!device || std::find(disks.begin(), disks.end(), device->disk) != disks.end()) continue;
    disks.push_back(device->disk);
    take_note(readahead_note(*device), notes);
  }
}

void look_at_scope(const PreflightScope& scope, const MachinePaths& paths,
                   std::vector<PreflightNote>& notes) {
  const CgroupLimits limits = read_cgroup_limits(paths);
  const std::size_t usable = usable_cpus().size();
  take_note(quota_note(limits, usable), notes);
  take_note(threads_note(scope.threads, limits.threads(usable)), notes);
  if (scope.table_bytes != 0) {
    const Host host = read_host(usable, paths.procfs, paths.sysfs);
    take_note(cached_note(scope.table_bytes, last_level_bytes(host)), notes);
  }
  look_at_disks(scope.cold_paths, paths, notes);
}

}  // namespace

std::vector<std::string> preflight_lines(const std::vector<PreflightNote>& notes) {
  std::vector<std::string> lines;
  for (const PreflightNote& note : notes) {
    lines.push_back(fmt::format("preflight: {}: {}", note.name, note.text));
  }
  return lines;
}

std::vector<std::string> brief_preflight_lines(const std::vector<PreflightNote>& notes) {
  constexpr std::size_t kColumns = 100;
  std::vector<std::string> lines;
  for (const PreflightNote& note : notes) {
    lines.push_back(
        cut_to(fmt::format("preflight: {}: {}", note.name, note.seen()), kColumns, "~"));
  }
  if (!lines.empty()) lines.emplace_back("preflight: what to do: hdbench topo --advice");
  return lines;
}

void say_preflight(const std::vector<PreflightNote>& notes) {
  for (const std::string& line : brief_preflight_lines(notes)) tell(line);
}

std::vector<std::string> tell_preflight(const PreflightScope& scope) {
  const std::vector<PreflightNote> notes = preflight(scope, kPreflightLook);
  say_preflight(notes);
  return preflight_lines(notes);
}

std::vector<PreflightNote> preflight(const PreflightScope& scope, std::chrono::milliseconds look,
                                     const MachinePaths& paths) {
  std::vector<PreflightNote> notes;
  look_at_load(look, paths, notes);
  look_at_frequency(paths, notes);
  look_at_idle(paths, notes);
  look_at_huge_pages(paths, notes);
  look_at_free_memory(paths, notes);
  look_at_nodes(paths, notes);
  for (PreflightNote& note : tiering_notes(paths)) notes.push_back(std::move(note));
  look_at_memory(scope.need, paths, notes);
  look_at_scope(scope, paths, notes);
  return notes;
}

}  // namespace hdbench::bench
