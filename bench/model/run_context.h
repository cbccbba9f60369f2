// What is the same in all cells of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/machine/host.h"
#include "bench/machine/kernel_tiering.h"
#include "bench/machine/setting_notes.h"
#include "bench/model/cell_ceiling.h"
#include "bench/model/peer_plan.h"
#include "bench/model/rank_context.h"
#include "bench/model/users_cell.h"

namespace hdbench::bench {

// A column, and how much memory holds what queries read of it.
struct ColumnNeed {
  std::string table;
  std::string column;
  // As stored, in all partitions; of nested columns without their items unless they are read.
  std::uint64_t bytes = 0;
  std::uint64_t needed_bytes = 0;  // in the partitions that the queries read; 0: none reads it
};

// A database that cells ran over.
struct DatasetContext {
  std::string name;  // Setting's
  std::string database;
  std::size_t partitions = 0;
  std::vector<std::pair<std::string, std::uint64_t>> table_rows;
  std::vector<ColumnNeed> columns = {};  // older files have none
  // Of compressed columns that the queries read: "lz4 1", and what one plain byte takes; empty:
  // none.
  std::string compression = {};
  double stored_share = 1;
};

struct RunContext {
  std::string date;  // ISO 8601 with the offset from UTC
  std::string executable;
  Host host;
  std::string version;
  std::string commit;
  std::string build_type;

  // At least one; the run's only one has no name.
  std::vector<DatasetContext> datasets{1};
  std::string query_file;
  std::size_t repetitions = 0;  // the fewest requested (RepetitionRule::least)
  // The rest of the repetition rule.
  std::optional<std::size_t> repetitions_most;
  std::optional<double> precision;       // of RepetitionRule
  std::size_t visits = 1;                // how often each medium and layout was loaded
  std::string command;                   // that gives this run again, quoted for a shell
  std::string experiment;                // its file's title; empty: the axes were flags
  std::vector<PreflightNote> preflight;  // what could make its figures another machine's
  std::optional<double> elapsed_s;       // of all sessions
  std::optional<double> budget_s;        // that it was given
  std::size_t sittings = 1;              // 1 + how often it was resumed
  std::uint64_t order_seed = 0;          // of the cells' order within rounds
  std::string result_medium;
  std::optional<KernelTiering> tiering = {};  // while its cells ran; older files have none
  std::string cpu_tuning;                     // strategy of prefetching; older files have none
  std::vector<std::pair<std::string, std::string>> profiles;  // as words name them, file's digest
  // Emulated disks without a latency, as --medium names them: their cold figures are set against no
  // real medium's.
  std::vector<std::string> media_without_latency;
  // What narrow codes saved, a line a layout and table.
  std::vector<std::string> codes_saved;
  // What of the matrix could not be run here, a line each.
  std::vector<std::string> left_out;
  std::vector<std::string> host_limits;
  RunCeilings ceilings;
  std::optional<PeerMemory> peer_memory;  // of a run with peers
  std::optional<std::uint64_t> available_before_bytes;
  std::optional<std::uint64_t> available_lowest_bytes;
  std::vector<std::pair<std::string, std::string>> benchmark_context;  // the user's own entries
  std::vector<UsersCell> users = {};    // cells of several users, beside those of single queries
  std::vector<RankContext> ranks = {};  // of an MPI job; else empty
  double network_gb_s = 0;              // into rank 0, when all others send at once
  bool complete = true;                 // false: the run ended before its last cell
};

}  // namespace hdbench::bench
