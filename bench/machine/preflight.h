// Checks before the first cell for conditions that make figures incomparable. Produces warnings
// only, shown with the table, in results.json and in the report.
//
//   load          other work uses more than 5 % of the CPUs (or a hypervisor takes as much)
//   frequency     a CPU's clock is left to a governor other than `performance`
//   idle          an idle CPU wakes up slowly, which lengthens reads that wait for a device
//   huge-pages    transparent huge pages are off: DRAM tables are in small pages
//   free-memory   a hypervisor reclaims free memory: cold reads wait for memory
//   numa          this process may use CPUs of several nodes: memory is local to some of them only
//   numa-balancing, demotion, zone-reclaim, damon   the kernel moves or drops pages by itself
//   swap          swap is in use: timed memory may have been swapped out
//   dirty         much data is waiting to be written to disk, during the cells
//   memory        the largest placement does not fit into the available memory
//   quota, threads, cached, readahead   see setting_notes.h
//
// kernel_tiering.h switches the first two of what the kernel does off or on for a run.
// other_load.h measures other work while timed queries run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/setting_notes.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

// The largest memory need of the run, and its purpose: "the flat copy on dram".
struct MemoryNeed {
  std::uint64_t bytes = 0;
  std::string what;
};

// What is about to be done, as far as it is known.
struct PreflightScope {
  std::optional<MemoryNeed> need = std::nullopt;
  std::size_t threads = 0;        // the most that a query runs on
  std::uint64_t table_bytes = 0;  // of the smallest database; 0: not known
  // What is read cold: the disks below these are looked at.
  std::vector<std::filesystem::path> cold_paths = {};
};

constexpr std::chrono::milliseconds kPreflightLook{300};

// Looks at the CPUs for `look`. Never fails: what the kernel does not tell is not warned of.
std::vector<PreflightNote> preflight(const PreflightScope& scope, std::chrono::milliseconds look,
                                     const MachinePaths& paths = {});

// A line each with the whole text: "preflight: load: ...".
std::vector<std::string> preflight_lines(const std::vector<PreflightNote>& notes);

// For a terminal: a line of at most 100 bytes each, and where the whole text is.
std::vector<std::string> brief_preflight_lines(const std::vector<PreflightNote>& notes);
void say_preflight(const std::vector<PreflightNote>& notes);  // them, on standard error

// For a command without limits of its own: samples for kPreflightLook, says the warnings on
// standard error and returns them, whole.
std::vector<std::string> tell_preflight(const PreflightScope& scope = {});

}  // namespace hdbench::bench
