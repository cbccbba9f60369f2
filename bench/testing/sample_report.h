// Cells for the report's tests: a small run with known figures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/model/cell_ceiling.h"
#include "bench/report/views/report_input.h"
#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

// Five repetitions close about `ms`, so that it has an interval.
inline std::vector<double> about(double ms) {
  return {ms, 0.99 * ms, 1.01 * ms, 0.98 * ms, 1.02 * ms};
}

// Bytes that a cell of sample_cell() reads.
constexpr std::uint64_t kSampleBytes = 8'000'000;

inline CellResult sample_cell(int query, const std::string& medium, double ms) {
  CellResult cell;
  cell.query = query;
  cell.text = "select from quote where i=" + std::to_string(query);
  cell.setting.medium = medium;
  cell.setting.threads = 2;
  cell.setting.cache = medium == "nvme" ? Cache::kCold : Cache::kWarm;
  cell.medium_label = "real";
  cell.real_ms = about(ms);
  cell.cpu_ms = cell.real_ms;
  cell.rows_in = 1000;
  cell.rows_out = 10;
  cell.bytes_read = kSampleBytes;
  cell.peak_workspace_bytes = 3 << 20;
  cell.checksum = 0xabc;
  return cell;
}

// The cell, stopped by a limit.
inline CellResult stopped_cell(CellResult cell, std::uint64_t limit_mib) {
  cell.setting.limit_mib = limit_mib;
  cell.real_ms.clear();
  cell.cpu_ms.clear();
  cell.rows_out.reset();
  cell.checksum.reset();
  cell.error = "-w: it needs more";
  return cell;
}

inline CellResult emulated_cell(CellResult cell) {
  cell.setting.medium = "app-direct:optane-100-6dimm";
  cell.emulated = true;
  cell.profile = "optane-100-6dimm";
  cell.emulation_mode = EmulationMode::kModel;
  return cell;
}

inline SavedRun sample_run(std::vector<CellResult> cells, const std::string& file = "a.json") {
  SavedRun run;
  run.file = file;
  run.context.host.cpu_model = "a CPU";
  run.context.datasets = {{"", "/data/db", 62, {{"quote", 1000}}}};
  run.context.query_file = "paper.q";
  run.context.command = "hdbench run /data/db";
  run.context.repetitions = 5;
  run.cells = std::move(cells);
  return run;
}

// On memory so slow that a sample cell of one millisecond is above its ceiling.
inline SavedRun sample_run_with_ceiling(std::vector<CellResult> cells) {
  SavedRun run = sample_run(std::move(cells));
  ThreadCeilings two;
  two.threads = 2;
  two.read_gb_s = {4, 4, 4};
  two.write_gb_s = two.stream_gb_s = two.copy_gb_s = two.read_gb_s;
  MemoryCeilings memory;
  memory.by_threads = {two};
  run.context.ceilings.placements = {{"dram", Layout::kPartitioned, Codes::kStored, memory, ""}};
  run.context.ceilings.memory = memory;
  return run;
}

// Of a machine whose last-level caches are so large that a cell of so many bytes is cached.
inline SavedRun sample_run_with_caches(std::vector<CellResult> cells, std::uint64_t bytes) {
  SavedRun run = sample_run(std::move(cells));
  run.context.ceilings.memory.cache_bytes = bytes == 0 ? 0 : bytes / kCachesOfData + 1;
  return run;
}

// Requires: cells is not empty.
inline ReportInput sample_input(std::vector<CellResult> cells) {
  std::vector<SavedRun> runs;
  runs.push_back(sample_run(std::move(cells)));
  return *merge_runs(std::move(runs));
}
inline ReportInput sample_input(SavedRun run) {
  std::vector<SavedRun> runs;
  runs.push_back(std::move(run));
  return *merge_runs(std::move(runs));
}

struct KeptInput {
  ReportInput kept;
};

// A pivot that keeps what it is over.
class SamplePivot : private KeptInput, public ReportPivot {
 public:
  explicit SamplePivot(std::vector<CellResult> cells)
      : KeptInput{sample_input(std::move(cells))}, ReportPivot(kept) {}
  explicit SamplePivot(SavedRun run) : KeptInput{sample_input(std::move(run))}, ReportPivot(kept) {}
};

}  // namespace hdbench::bench
