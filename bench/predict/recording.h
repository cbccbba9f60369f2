// Runs queries with their columns in DRAM and records what they do (trace.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/load_probe.h"
#include "bench/predict/replay.h"
#include "bench/predict/trace.h"
#include "bench/run/session.h"
#include "bench/run/table_placement.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {

// This machine's memory, measured: as the emulator knows it, and as a device.
struct HostMemory {
  HostCalibration calibration;
  DeviceProfile profile;          // of all threads, "dram"
  std::uint64_t cache_bytes = 0;  // of the last level
};
// Some seconds. source: where the memory is. Errors: as the probes'.
Result<HostMemory> measure_host_memory(OnePool& pools, std::size_t buffer_bytes,
                                       const RegionSource& source = map_huge_memory);

// How many times as long so many threads' reads take while one thread more reads gb_s; 1 where this
// machine has no CPU for it. Errors: as the probes'.
Result<double> measure_slowed_beside(OnePool& pools, std::size_t threads, double gb_s);

// A query's accesses, the times of its tasks in several runs, and what is the same for all of them.
struct RecordedQuery {
  int id = 0;
  Trace trace;
  std::vector<TraceTiming> timings;  // one at least, all of which fit
  FixedWork fixed;
  std::uint64_t rows_out = 0;
  bool result_grows = true;  // a row of each row; else groups or aggregates
  // The columns that it shows because it shows all; empty: it does not show all.
  std::vector<std::string> shown_whole;
  bool is_cached = false;  // what it reads is in the caches when it is read again

  // The timing whose work is in the middle.
  const TraceTiming& middle() const;
  // Each once.
  std::vector<std::size_t> places_read() const;
};

struct RecordingRule {
  std::size_t workers = 1;
  std::size_t repetitions = 5;
  // Nothing of the columns is in the caches before a run, as where there is more of them.
  bool evicts = false;
  bool is_cached = false;  // all columns fit into the caches
  Mode mode = Mode::k40;
  bool use_index = true;
};

class Recording {
 public:
  // The columns of the queries are mapped and lie in DRAM. Everything must outlive it.
  Recording(Session& session, TablePlacement& placement, const BoundQueries& bound);

  // Add devices here before the first record().
  TraceTargets& targets() { return targets_; }
  const TraceTargets& targets() const { return targets_; }

  // So many rounds of all queries, each in another order, as `run` puts them; one more comes first
  // and is not kept. Errors: execute()'s, as errors of the query; kUsage "interrupted".
  Result<std::vector<RecordedQuery>> record(const std::vector<ListedQuery>& queries,
                                            const BoundQueries& bound, const RecordingRule& rule,
                                            std::uint64_t cache_bytes);

 private:
  Result<Trace> run_once(const BoundQuery& query, const Table& table, const RecordingRule& rule,
                         TraceRecorder& recorder, ThreadPool& pool, AccessMeter* meter,
                         std::uint64_t* rows_out = nullptr);
  Result<FixedWork> fixed_work(const BoundQuery& query, const RecordingRule& rule,
                               TraceRecorder& recorder, ThreadPool& pool,
                               std::uint64_t cache_bytes);
  Status evict_caches(std::uint64_t cache_bytes);

  Session& session_;
  TablePlacement& placement_;
  TraceTargets targets_;
  Region evicting_;
};

}  // namespace hdbench::bench
