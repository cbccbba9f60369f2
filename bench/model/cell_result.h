// The result of one cell of the experiment: a query under one setting of the axes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/base/layers.h"
#include "bench/model/axes.h"
#include "bench/model/rank_context.h"
#include "engine/base/result.h"
#include "pmem/emulator/emulated_meter.h"
#include "pmem/memory/placement_proof.h"

namespace hdbench::bench {

// What another engine's cell says of itself.
struct PeerLabel {
  std::string engine;
  std::string version;
  std::string codes;                                // how it holds symbols
  std::string loaded;                               // the form that it holds the table in
  std::string form;                                 // the SQL or expression that it ran
  std::optional<double> startup_ms = std::nullopt;  // the same query over a table of one row
  // Where it answers without reading the columns: from what. Such a cell is in no ratio.
  std::optional<std::string> unread = std::nullopt;
};

// Which query, of what.
struct CellQuestion {
  int query = 0;
  std::string text;
  std::string name_of_query = {};  // what it asks, in its file's words; empty: not said
  Setting setting;
  bool emulated = false;               // the columns' device, or the results'
  std::string medium_label;            // "real (ext4 on /dev/vda)"
  std::optional<std::string> profile;  // of an emulated device
  // Profiles of the emulated devices of single columns (--place), each once.
  std::vector<std::string> place_profiles;
  // Profile of the emulated device of the results, if the columns lie elsewhere (--result-medium).
  std::optional<std::string> result_profile;
  std::optional<std::string> spill_profile;  // likewise of what goes beyond -w (--on-limit)
  std::optional<EmulationMode> emulation_mode;
  std::optional<PeerLabel> peer;  // nothing: hdbench's own cell
};

struct CellTimings {
  // One figure a repetition.
  std::vector<double> real_ms;
  std::vector<double> cpu_ms;  // 0: not known
  // How many of them each load of the placement gave. Empty: it was loaded once.
  std::vector<std::size_t> visits;
  std::vector<EmulationResult> emulations;  // of the last repetition
  // In how many periods the control group's CPU quota stopped its timed runs, all repetitions
  // together; nothing: there is no quota.
  std::optional<std::uint64_t> throttled_periods;
  std::vector<RankCellTimes> rank_times = {};  // by rank, a figure a repetition; else empty

  // What intervals of its times are of.
  Samples times() const { return {real_ms, visits}; }
};

// What kdb+ would hold for the query, by a model of it (docs/kdb-memory.md).
struct KdbNeed {
  std::string version;
  std::size_t secondary_threads = 0;
  std::uint64_t least_w_mib = 0;
  std::uint64_t peak_used_bytes = 0;
  std::uint64_t peak_heap_bytes = 0;
};

// Rows and bytes of one run; of memory, faults and the device the most of all repetitions.
struct CellWork {
  std::uint64_t rows_in = 0;
  std::optional<std::uint64_t> rows_out;  // nothing: 0N
  std::optional<std::uint64_t> checksum;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_unpacked = 0;  // of compressed columns, whose compressed bytes bytes_read has
  std::vector<std::pair<std::string, std::uint64_t>> bytes_read_by_column;

  std::uint64_t used_bytes = 0;
  std::uint64_t peak_workspace_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  std::uint64_t major_faults = 0;
  // Pages that were first touched, or newly mapped, in a timed run: of warm cells few, as results
  // take memory that was touched before. Older files have none.
  std::optional<std::uint64_t> minor_faults = {};
  std::optional<std::uint64_t> device_bytes;
  std::optional<KdbNeed> kdb = {};  // nothing: its rows were not counted
};

// Where the bytes were.
struct CellProofs {
  // Extremes over all repetitions: the proof of cold is the repetition that was least cold, and of
  // warm likewise.
  std::uint64_t held_bytes = 0;
  std::uint64_t resident_min_bytes = 0;
  std::uint64_t resident_max_bytes = 0;
  // Of the columns and of results, when that was last looked at: after the rounds.
  std::optional<PlacementProof> placement_proof;
  std::optional<PlacementProof> result_proof;
  std::optional<PlacementProof> spill_proof;  // of what went beyond -w, where a medium takes it
};

struct CellResult : CellQuestion, CellTimings, CellWork, CellProofs {
  std::optional<std::string> error;  // why there are no rows
  std::size_t error_visit = 0;       // the load that gave it, counted from 0

  // A peer's is "Q07/engine:duckdb/medium:dram/layout:flat/threads:2".
  std::string name() const;
  // What warm or cold rests on: the least resident when warm, the most when cold.
  std::uint64_t resident_before() const {
    return setting.cache == Cache::kCold ? resident_max_bytes : resident_min_bytes;
  }
};

// Merges load `number` (from 0) of the same cell: appends its repetitions, combines minima and
// maxima, and takes its values for the rest. An error of either leaves no figure.
void add_reload(CellResult& cell, const CellResult& load, std::size_t number);

// Keeps the repetitions of the first `loads` loads and drops errors of later ones (with their
// checksums). Extremes over all repetitions stay. Used before more loads are added.
void keep_reloads(CellResult& cell, std::size_t loads);

// A cell's median, or nothing for 0N.
std::optional<double> median_ms(const CellResult& cell);

// The bytes that it reads and writes by the median. Nothing for 0N or no time.
std::optional<double> gb_per_s(const CellResult& cell);

// The median of its CPU times. Nothing for 0N, and where one is not known.
std::optional<double> median_cpu_ms(const CellResult& cell);

// Checks that a query's result is the same in every cell.
class ChecksumLedger {
 public:
  // The first cell of a query says what its checksum is. Errors: kMismatch, naming both cells and
  // both checksums.
  Status add(int query, const std::string& cell, std::uint64_t checksum);

 private:
  struct First {
    std::string cell;
    std::uint64_t checksum = 0;
  };
  std::map<int, First> first_;
};

}  // namespace hdbench::bench
