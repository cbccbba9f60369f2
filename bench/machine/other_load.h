// What other work took of the CPUs: looked at before a run, and while its cells run.
//
// A medium that is made to wait (emulated, or a disk) and one that is not are both slower beside
// other work, and nothing in a cell's own time tells which of the two it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/machine/preflight_note.h"
#include "pmem/machine_paths.h"

namespace hdbench {

// CPU time since boot, of all CPUs, in the kernel's ticks (/proc/stat).
struct CpuTicks {
  std::uint64_t busy = 0;    // user, system, interrupts
  std::uint64_t stolen = 0;  // by a hypervisor
  std::uint64_t all = 0;
  std::uint64_t interrupts = 0;  // of busy
};
std::optional<CpuTicks> parse_cpu_ticks(const std::string& stat);
std::optional<CpuTicks> read_cpu_ticks(const MachinePaths& paths);

// Between two looks, with none of it this process's. Nothing: less than 5 % of either.
std::optional<PreflightNote> load_note(const CpuTicks& before, const CpuTicks& after);

// Of the CPUs together, in seconds.
struct OtherLoad {
  double all_s = 0;     // what the CPUs had to give while cells ran
  double other_s = 0;   // of it: other processes'; interrupts are left out, cells have theirs
  double stolen_s = 0;  // by a hypervisor

  static constexpr const char* kNoteName = "load-meanwhile";

  void add(const OtherLoad& more);
  // Nothing: less than 5 % of either, or less than a second in all: the kernel
  // counts in hundredths.
  std::optional<PreflightNote> note() const;
};

// Sums over windows, each from begin() to end(). Where the kernel does not tell, nothing is added.
class OtherLoadWatch {
 public:
  explicit OtherLoadWatch(MachinePaths paths = {}) : paths_(std::move(paths)) {}

  void begin();
  void end();
  const OtherLoad& sum() const { return sum_; }

 private:
  MachinePaths paths_;
  std::optional<CpuTicks> before_;
  double own_before_s_ = 0;
  OtherLoad sum_;
};

}  // namespace hdbench
