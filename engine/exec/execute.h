// Runs a plan over a table: prune, filter, gather or group, merge. docs/design.md, "The way of a
// query", has a picture.
//
// Results are byte-identical whatever the threads, mode, layout, index use and medium: rows are in
// table order, groups in key order, and aggregates are functions of the set of rows (float sums are
// exact and rounded once).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/meter.h"
#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/exec/workspace.h"
#include "engine/operator/plan.h"

namespace hdbench {

// kdb+ 3.6: a part a thread, nothing inside a primitive. kdb+ 4.0: morsels inside primitives as
// well.
enum class Mode { k36, k40 };

class Prefetcher;

struct ExecuteSettings {
  Mode mode = Mode::k40;
  bool use_index = true;             // attr parted: use p# where it is; attr none: scan
  AccessMeter* meter = nullptr;      // null for real media
  Prefetcher* prefetcher = nullptr;  // null: bytes are read when they are accessed, as kdb+ does
  // Set from elsewhere (a signal) to end the query early with a kUsage error "interrupted".
  const std::atomic<bool>* stop = nullptr;
};

struct TableReads {
  const Table* table = nullptr;
  std::vector<std::uint64_t> bytes_by_field;
};

struct ExecuteStats {
  std::uint64_t parts_total = 0;
  std::uint64_t parts_scanned = 0;  // after pruning
  std::uint64_t rows_in = 0;        // rows of the scanned parts
  std::uint64_t bytes_read = 0;     // of columns, as the plan needs them (explain's figures)
  std::uint64_t bytes_written = 0;  // results
  std::vector<TableReads> reads;    // of each table, in the order in which they are read
  // Null indices were found and mapped, and the query began again: its time is not a query's.
  bool restarted = false;
};

// Runs the plan over the table, or over what its source makes of others; rows that are made on the
// way lie in the workspace as the result does. The result's buffers come from `workspace`. Errors:
// kLimit ("-w abort: ..." with everything freed), kData.
Result<ResultTable> execute(const Table& table, const Plan& plan, const ExecuteSettings& settings,
                            ThreadPool& pool, Workspace& workspace, ExecuteStats* stats = nullptr);

}  // namespace hdbench
