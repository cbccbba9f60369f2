// The time that a recorded query takes with its columns elsewhere, at another size, by more users:
// its steps again on virtual clocks.
//
// Each worker has a time of its own and takes tasks as the pool's threads do. A read begins a pass:
// the worker first waits until what the pass before it moves has arrived; then transfer and work go
// on side by side, while a latency that nothing hides is waited for at once. A disk reads ahead.
// All workers of all users share the devices' clocks, and what they move loads the devices.
// docs/predict.md has the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/predict/trace.h"
#include "pmem/emulator/device_account.h"

namespace hdbench::bench {

// Work that a query does whatever its rows: what it took of one row a partition. By kind of
// section, alone and parallel.
struct FixedWork {
  double alone_ns = 0;
  double parallel_ns = 0;
};

struct ReplayQuestion {
  std::vector<std::size_t> device_of_place;  // by place
  std::size_t workers = 1;                   // those that were rehearsed
  std::size_t users = 1;                     // that ask the same at once
  std::size_t cpus = 1;                      // that all workers share

  double rows = 1;        // times as many in each partition
  double partitions = 1;  // times as many
  // By place, how many columns there are for each that was recorded; of the place without a column,
  // of what is written. Empty: as many.
  std::vector<double> columns;
  bool is_split = true;  // more rows are more tasks, not longer ones
  // Results, and what the caller makes of them, grow with the rows.
  bool result_grows = true;

  bool is_cached = false;  // what lies in this machine's memory comes from its caches
  double host_slowed = 1;  // reads of this machine's memory, by others' work
  // Of an interleave that was recorded at 1:1: the share of pages that lie locally.
  double local_share = 0.5;
};

// Nanoseconds, whose parts add up to the whole: each is a mean of the workers.
struct ReplayTimes {
  double total_ns = 0;
  double work_ns = 0;
  double bandwidth_ns = 0;  // waits for bytes to arrive
  double latency_ns = 0;    // waits for accesses that nothing hides
  double waiting_ns = 0;    // for other workers
};

// The devices' clocks begin anew. Requires: the timing fits the trace.
ReplayTimes replay(const Trace& trace, const TraceTiming& timing, const FixedWork& fixed,
                   TraceTargets& targets, const ReplayQuestion& question);

}  // namespace hdbench::bench
