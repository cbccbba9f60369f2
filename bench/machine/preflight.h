// What could make a run's figures another machine's, looked for before the first cell. Warnings
// only: they stand in front of the table, in results.json and in the report.
//
//   load          other work uses more than 5 % of the CPUs (or a hypervisor takes as much)
//   frequency     a CPU's clock is left to a governor other than `performance`
//   idle          an idle CPU takes long to come back: reads that wait for a device wait longer
//   huge-pages    transparent huge pages are off: DRAM tables stand on small pages
//   free-memory   a hypervisor takes back what is free: what is read cold waits for its memory
//   numa          this process may use CPUs of several nodes: memory is near to some of them only
//   swap          swap is in use: what is timed may have been put there
//   dirty         much is waiting to be written to disk: it will be, beside the cells
//   memory        the largest placement does not fit into the memory that is available
//
// What other work takes later, while timed queries run, is other_load.h's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine/preflight_note.h"
#include "pmem/base/machine_paths.h"

namespace hdbench {

// What the run will need in memory at once, for what: "the flat copy on dram".
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

// The same for a command without a need of its own: looks for 0.3 s, tells the lines on standard
// error and gives them.
std::vector<std::string> tell_preflight();

}  // namespace hdbench
