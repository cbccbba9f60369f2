// A cell compared with the best that this machine can do.
//
// The best possible time is the least that the machine needs for the bytes that the cell reads and
// writes, at the cell's thread count: pairs of a byte read and a byte written at the copy rate,
// remaining reads at the read rate, remaining writes at the better of the two kinds of stores. A
// cold cell on a disk needs at least the time to deliver the bytes (each once, as repeated reads
// hit memory) at the device's sequential rate. The percentage is this time over the cell's median,
// with the rates that the machine was seen to give in the run (memory_ceilings.h).
//
// A cell is above its ceiling where its whole interval is. That has a reason where the run holds
// evidence of one: rounds of the ceiling that were as fast, caches large enough to hold the bytes
// that went beyond the ceiling, a CPU quota below the threads. Where it holds none, the figure
// cannot be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/machine/device_ceilings.h"
#include "bench/machine/memory_ceilings.h"
#include "bench/model/cell_result.h"

namespace hdbench::bench {

// How fast that many threads unpack the database's blocks (bench/run/unpack_rates.h).
struct UnpackRate {
  std::size_t threads = 1;
  double gb_s = 0;                 // of plain bytes
  std::uint64_t sample_bytes = 0;  // plain
};

// The ceilings of the rounds in which this placement's cells were timed.
struct PlacementCeilings {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  Codes codes = Codes::kStored;
  MemoryCeilings memory;
  std::string dataset = {};  // Setting's
  Compressed compressed = Compressed::kAsStored;
  bool finished = true;                    // false: its rounds were cut short by an error or Ctrl-C
  std::size_t visits = 1;                  // whose rounds were not cut short
  std::size_t matrix = 0;                  // of the experiment's: two may have the same placement
  std::vector<UnpackRate> unpacking = {};  // of columns that are compressed as stored
  // Sequential reads of the device that holds the cold cells' bytes, one sample a round; empty: not
  // measured.
  DeviceRead device_sequential = {std::size_t{1} << 20, 8, 0, {}};
};

// All that a run has measured.
struct RunCeilings {
  MemoryCeilings memory;  // of all placements' rounds: what cells are held against
  std::vector<PlacementCeilings> placements;
  DeviceCeilings device;  // the database's, before the first cell and after the last one
  // The CPU time that the control group gives, in CPUs; RunContext's host has it as well.
  std::optional<double> quota_cpus = {};
  // That of the scratch files, where they lie on another one and cold cells read them.
  std::optional<DeviceCeilings> scratch_device;

  // The ceilings of the rounds of the cell's placement; null if not measured.
  const PlacementCeilings* of(const Setting& setting) const;
};

// What unpacking alone takes at best; nothing where none was done, or not measured.
std::optional<double> unpack_ms(const CellResult& cell, const RunCeilings& ceilings);

// What takes the largest share of the best possible time.
enum class CeilingKind : std::uint8_t { kRead, kWrite, kCopy, kDevice, kUnpack };
std::string_view word(CeilingKind kind);

struct CellCeiling {
  double gb_s = 0;  // bytes read and written, by the median time
  double best_possible_ms = 0;
  double percent = 0;
  CeilingKind kind = CeilingKind::kRead;
  bool is_above = false;    // beyond its interval
  std::string reason = {};  // the evidence of why; empty: none was found

  // Whether the figure cannot be.
  bool above() const { return is_above && reason.empty(); }
};

// Caches that a cell has to move several times before its warm figure is memory's.
constexpr std::uint64_t kCachesOfData = 4;

// Whether a warm cell reads and writes less than kCachesOfData times the last-level caches of the
// CPUs that the run may use: what it measures is partly the cache. False where the kernel does not
// tell how large they are, and for cold cells.
bool is_cached(const CellResult& cell, const RunCeilings& ceilings);

// Errors: kData, why this cell has none: it is 0N or cached, its thread count or device was not
// measured, or it runs on real memory of another kind than the one measured.
Result<CellCeiling> cell_ceiling(const CellResult& cell, const RunCeilings& ceilings);

// The least time that the machine itself needed for the cell's bytes in each of its placement's
// timed rounds, in ms, or one figure of their medians where the rounds were not kept. Of an
// emulated cell: what the host's memory needed. Empty: the cell has no ceiling, or a cold one's
// device was not measured in these rounds.
std::vector<double> best_possible_of_rounds(const CellResult& cell, const RunCeilings& ceilings);

}  // namespace hdbench::bench
