// CPU time that other work took: sampled before a run, and while its timed queries run; and the
// least memory that was available meanwhile.
//
// Other work slows down every cell, and an emulated device or a disk whose worker waits for a CPU
// cannot be distinguished from a slower device by the cell's time alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/setting_notes.h"
#include "pmem/base/free_room.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

// CPU time since boot in the kernel's ticks (/proc/stat).
struct CpuTicks {
  std::uint64_t busy = 0;    // user, system, interrupts
  std::uint64_t stolen = 0;  // by a hypervisor
  std::uint64_t all = 0;
  std::uint64_t interrupts = 0;  // of busy
};
// Ticks of all CPUs, or of these, summed. Nothing if the text lacks one.
std::optional<CpuTicks> parse_cpu_ticks(const std::string& stat, const std::vector<int>& cpus = {});
std::optional<CpuTicks> read_cpu_ticks(const MachinePaths& paths,
                                       const std::vector<int>& cpus = {});

// Between two looks, with none of it this process's. Nothing: less than 5 % of either.
std::optional<PreflightNote> load_note(const CpuTicks& before, const CpuTicks& after);

struct OtherLoad {
  static constexpr const char* kNoteName = "load-meanwhile";

  double wall_s = 0;
  // Seconds of the CPUs together: available; taken by other processes and kernel threads, without
  // interrupts; taken by a hypervisor.
  double all_s = 0;
  double other_s = 0;
  double stolen_s = 0;

  void add(const OtherLoad& more);
  // Nothing: less than 5 % of either, or less than a second: the kernel counts in hundredths.
  std::optional<PreflightNote> note() const;
};

// Sums over windows, each from begin() to end(), the CPUs that this process may use. Where the
// kernel does not tell, nothing is added. Where it counts time that was stolen as a process's own,
// other work may hide behind that.
class OtherLoadWatch {
 public:
  explicit OtherLoadWatch(MachinePaths paths = {});
  OtherLoadWatch(MachinePaths paths, std::vector<int> cpus)
      : paths_(std::move(paths)), cpus_(std::move(cpus)) {}

  void begin();
  void end();
  const OtherLoad& sum() const { return sum_; }

 private:
  struct Look {
    double wall_s = 0;
    double own_s = 0;
    std::optional<CpuTicks> ticks;
  };
  Look look() const;

  MachinePaths paths_;
  std::vector<int> cpus_;
  Look before_;
  OtherLoad sum_;
};

// The least that was seen in several looks. A look takes some ten microseconds: outside of what is
// timed.
class LowestMemory {
 public:
  void look() { take(available_memory()); }
  // Adds a sample taken elsewhere.
  void take(std::optional<std::uint64_t> available) {
    if (available && (!lowest_ || *available < *lowest_)) lowest_ = available;
  }
  std::optional<std::uint64_t> bytes() const { return lowest_; }

 private:
  std::optional<std::uint64_t> lowest_;
};

}  // namespace hdbench::bench
