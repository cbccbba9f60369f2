// Runs one query once, timed and counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/model/axes.h"
#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/exec/execute.h"
#include "engine/exec/workspace.h"
#include "engine/operator/plan.h"
#include "pmem/emulator/emulated_meter.h"

namespace hdbench::bench {

struct RunResources {
  ThreadPool& pool;
  std::pmr::memory_resource& results;
  std::uint64_t limit_bytes = 0;               // of the workspace; 0: none
  std::pmr::memory_resource* spill = nullptr;  // null: a query that reaches its limit stops
  const std::atomic<bool>& stop;
  Prefetcher* prefetcher = nullptr;    // null: nothing is read ahead
  std::vector<EmulatedMeter*> meters;  // of emulated media, each once
};

struct TimedRun {
  TimedRun() = default;
  TimedRun(TimedRun&&) = default;
  // A result must go before its workspace, which assignment would turn round.
  TimedRun& operator=(TimedRun&&) = delete;

  double real_ms = 0;  // of an emulated medium's mode: waited for, or modelled
  double cpu_ms = 0;   // of all threads
  ExecuteStats stats;
  std::uint64_t used_bytes = 0;  // of the workspace, with the result still in it
  std::uint64_t peak_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t minor_faults = 0;
  std::vector<EmulationResult> emulations;    // of the meters, in order
  std::optional<std::uint64_t> device_bytes;  // read from block devices, where the kernel tells

  // The table's bytes are the workspace's: it comes first, so that it is destroyed last.
  std::unique_ptr<Workspace> workspace;
  std::optional<ResultTable> table;  // nothing: the limit stopped it (0N)
  std::string limit_message;         // then why
};

// The pool's threads are awake when the clock starts, as they are from one query to the next of a
// busy process: what is timed is memory, not the operating system's wake-up (thread_pool.h). Those
// that find nothing to do look for work for up to 2 ms, which cpu_ms has too.
// Errors: what execute() cannot do but for the limit, which is no error here; kUsage "interrupted"
// where a wait for an emulated device was cut short.
Result<TimedRun> timed_run(const Table& table, const Plan& plan, const Setting& setting,
                           const RunResources& resources);

}  // namespace hdbench::bench
