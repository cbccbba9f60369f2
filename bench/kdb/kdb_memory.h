// The memory that kdb+ would take for a query: a model of its allocator and of the vectors that its
// primitives make, from the plan and the rows at each step (kdb_steps.h).
//
// docs/kdb-memory.md has the rules, and which of them are documented, derived from published
// figures, or assumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/kdb/kdb_heap.h"
#include "bench/kdb/kdb_steps.h"
#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"

namespace hdbench::bench {

// k28 stands for those before enumerations were compared by their codes.
enum class KdbVersion : std::uint8_t { k28, k36, k40, k41 };

// Errors: kUsage, naming the flag.
Result<KdbVersion> parse_kdb_version(std::string_view flag, std::string_view word);
std::string_view word(KdbVersion version);

struct KdbSettings {
  KdbVersion version = KdbVersion::k40;
  std::size_t secondary_threads = 0;  // -s
  bool keeps_large = true;            // -g 0
  bool use_index = true;
  // Columns are compressed: each that is read holds its whole plain vector until the query ends.
  // Known of a table whose columns are left so; else to be told.
  bool compressed = false;
  bool as_plain = false;   // compressed ones are counted as if they were plain, mapped files
  bool in_memory = false;  // the table lies in the heap, not in mapped files
};

struct KdbMemory {
  // Of the process: the peaks of its threads together, as if they met at one moment. Since 4.0 that
  // counts against -w, before that what one thread holds.
  KdbPeaks peaks;
  KdbPeaks main;
  KdbPeaks secondary;            // of the thread that holds most; zeros where there are none
  std::uint64_t parts = 0;       // partitions that were gone through
  std::vector<KdbHolding> held;  // by the main thread and the largest other, when each held most
  // Of the first partition, and of what comes after the last one.
  std::vector<KdbEvent> events;

  // As -w takes it, in MiB.
  std::uint64_t least_w_mib() const;
};

KdbMemory kdb_memory(const Table* table, const Plan& plan, const KdbSteps& steps,
                     const KdbSettings& settings);

// What a server's processes hold: each its heap, a secondary thread's first slab included; the
// mapped columns once, as the page cache has them for all.
struct KdbServer {
  std::uint64_t processes = 1;
  std::uint64_t process_bytes = 0;
  std::uint64_t mapped_bytes = 0;

  std::uint64_t total_bytes() const { return processes * process_bytes + mapped_bytes; }
};

// For the query that holds most.
KdbServer kdb_server(const std::vector<KdbMemory>& queries, std::uint64_t processes,
                     std::size_t secondary_threads, std::uint64_t mapped_bytes);

// The blocks of a table's columns of so many rows, were it read into memory.
std::uint64_t kdb_table_bytes(const Schema& schema, std::uint64_t rows);

}  // namespace hdbench::bench
