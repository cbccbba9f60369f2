// What the operators of one query share: its settings, the threads and the memory that it has, and
// the account of what it accesses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "engine/base/meter.h"
#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/table.h"
#include "engine/operator/access_log.h"
#include "engine/operator/unpacking.h"

namespace hdbench {

// kdb+ 3.6: a part a thread, nothing inside a primitive. kdb+ 4.0: morsels inside primitives as
// well.
enum class Mode { k36, k40 };

// How long unpacked blocks of compressed columns are kept: as kdb+ keeps them, or where only counts
// are wanted of more than memory holds, until a pass over the rows leaves their partition.
enum class KeepUnpacked { kUntilQueryEnds, kUntilPartitionRead };

class Prefetcher;
class Ranks;

struct ExecuteSettings {
  Mode mode = Mode::k40;
  bool use_index = true;             // attr parted: use p# where it is; attr none: scan
  AccessMeter* meter = nullptr;      // null for real media
  Prefetcher* prefetcher = nullptr;  // null: bytes are read when they are accessed, as kdb+ does
  Ranks* ranks = nullptr;            // null: this process reads all partitions
  KeepUnpacked keep_unpacked = KeepUnpacked::kUntilQueryEnds;
  // Set from elsewhere (a signal) to end the query early with a kUsage error "interrupted".
  const std::atomic<bool>* stop = nullptr;
};

struct TableReads {
  const Table* table = nullptr;
  std::vector<std::uint64_t> bytes_by_field;
};

// Where a rank's time went (ranks.h), in ms; what is left of a query's time rank 0 merged, and
// another rank waited for it.
struct RankTimes {
  double map_ms = 0;       // reading its partitions, and making its part of each result
  double wait_ms = 0;      // on rank 0: for other ranks' parts to be made
  double transfer_ms = 0;  // sending them, or receiving them
};

struct ExecuteStats {
  std::uint64_t parts_total = 0;
  std::uint64_t parts_scanned = 0;  // after pruning
  std::uint64_t rows_in = 0;        // rows of the scanned parts
  std::uint64_t bytes_read = 0;     // of columns, as the plan needs them (explain's figures)
  std::uint64_t bytes_written = 0;  // results
  // Of compressed columns: what their blocks gave; bytes_read has the compressed ones.
  std::uint64_t bytes_unpacked = 0;
  std::vector<TableReads> reads;  // of each table, in the order in which they are read
  RankTimes rank = {};            // of this one; zeros: there are no ranks
};

// Carries an Error out of a task of the pool; execute() turns it back into a Result.
struct QueryStop {
  Error error;
};
inline void stop_unless(const Status& status) {
  if (!status.ok()) throw QueryStop{status.error()};
}

// Belongs to one execution of one query. All that is referred to outlives it.
struct QueryContext {
  QueryContext(const ExecuteSettings& of, ThreadPool& threads, std::pmr::memory_resource& resource,
               UnpackCharge charge = {})
      : settings(of),
        pool(threads),
        memory(resource),
        unpacking(std::make_shared<Unpacking>(std::move(charge), of.meter)),
        accesses(0, of.meter) {}

  // Throws QueryStop where the stop flag is set. Thread-safe.
  void stop_if_asked() const {
    if (settings.stop != nullptr && settings.stop->load(std::memory_order_relaxed))
      throw QueryStop{usage_error("interrupted")};
  }
  // Logs of rows of a table, one a worker of the pool. is_made: rows that another plan made, which
  // are working memory.
  std::vector<AccessLog> logs_for(const Table& table, bool is_made) const {
    const bool is_metered = !is_made || accesses.meters_working_memory();
    return {pool.size(),
            AccessLog(table.schema().fields.size(), is_metered ? settings.meter : nullptr)};
  }

  const ExecuteSettings& settings;
  ThreadPool& pool;
  std::pmr::memory_resource& memory;     // the workspace: intermediates and results
  std::shared_ptr<Unpacking> unpacking;  // held by results, too, that point into columns
  AccessLog accesses;                    // to rows made on the way, which are of no table
  ExecuteStats stats;
};

}  // namespace hdbench
