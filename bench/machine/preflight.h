// Checks before the first cell for conditions that make figures incomparable. Produces warnings
// only, shown with the table, in results.json and in the report.
//
//   load          other work uses more than 5 % of the CPUs (or a hypervisor takes as much)
//   frequency     a CPU's clock is left to a governor other than `performance`
//   idle          an idle CPU wakes up slowly, which lengthens reads that wait for a device
//   huge-pages    transparent huge pages are off: DRAM tables are in small pages
//   free-memory   a hypervisor reclaims free memory: cold reads wait for memory
//   numa          this process may use CPUs of several nodes: memory is local to some of them only
//   swap          swap is in use: timed memory may have been swapped out
//   dirty         much data is waiting to be written to disk, during the cells
//   memory        the largest placement does not fit into the available memory
//
// other_load.h measures other work while timed queries run.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine/preflight_note.h"
#include "pmem/base/machine_paths.h"

namespace hdbench {

// The largest memory need of the run, and its purpose: "the flat copy on dram".
struct MemoryNeed {
  std::uint64_t bytes = 0;
  std::string what;
};

// Looks at the CPUs for `look`. Never fails: what the kernel does not tell is not warned of.
std::vector<PreflightNote> preflight(const std::optional<MemoryNeed>& need,
                                     std::chrono::milliseconds look,
                                     const MachinePaths& paths = {});

// A line each: "preflight: load: ...".
std::vector<std::string> preflight_lines(const std::vector<PreflightNote>& notes);

// For a command without limits of its own: samples for 0.3 s, prints the warnings to standard error
// and returns them.
std::vector<std::string> tell_preflight();

}  // namespace hdbench
