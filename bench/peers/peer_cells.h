// The peers' cells of a run: every (query, thread count) once for each engine, beside hdbench's own
// dram/flat cells.
//
// Workers take turns, one per engine and thread count, so that memory holds one at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/machine/other_load.h"
#include "bench/model/cell_result.h"
#include "bench/model/peer_plan.h"
#include "bench/model/query_list.h"
#include "bench/peers/peer_worker.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct PeerOptions {
  std::vector<std::string> engines;  // none: no peers
  std::string python;
  std::filesystem::path script;
  std::filesystem::path queries;  // peer_query_file()'s
  // Untimed runs of the same query for as long come before each timed one, of the engines and of
  // hdbench's own cells beside them.
  double warm_seconds = 0;
};

// Parses --peers and --peers-python. Errors: kUsage for an unknown engine, or if there is no such
// Python: the message names the command that makes one. HDBENCH_PEERS_WARM_SECONDS, if set, are
// the warm_seconds.
Result<PeerOptions> peer_options(const std::string& engines, const std::string& python);

// The file that has all the queries under their numbers: paper.q, aggregates.q or desk.q. Errors:
// kUsage where none has: the peers know no others.
Result<std::filesystem::path> peer_query_file(const std::vector<ListedQuery>& queries);

class PeerCells {
 public:
  PeerCells(const PeerOptions& options, const std::filesystem::path& database,
            const std::vector<std::size_t>& threads, const std::vector<ListedQuery>& queries,
            const std::atomic<bool>& stop, std::uint64_t table_bytes = 0);

  // At least one, and be it without a worker.
  std::size_t turn_count() const { return std::max<std::size_t>(1, workers_.size()); }

  // Starts the worker of a turn. One that cannot be started has a line in left_out(), and its cells
  // the error. Errors: an interrupt.
  Status load(std::size_t turn = 0);
  // Runs each query once and holds the whole result of one of the eleven against numpy's, any
  // other's against hdbench's own (floats within a tolerance); the right result's checksum goes to
  // the ledger. A result that differs is its cell's error, and so is the reason why an engine
  // cannot say a query. Errors: a checksum that is not hdbench's (kMismatch), an interrupt.
  Status verify(ChecksumLedger& ledger, std::size_t turn = 0);
  // One repetition of each cell without an error. Errors: an interrupt.
  Status repeat(std::size_t turn = 0);
  // Ends the worker and waits until its memory is given back.
  void end(std::size_t turn = 0);

  // Errors: kMismatch where a peer's result differed.
  Status same_results() const;
  const std::vector<std::string>& left_out() const { return left_out_; }
  std::vector<CellResult>& cells() { return cells_; }
  // Memory of the workers that were loaded.
  std::vector<PeerWorkerMemory> memory() const;
  // Lowest available memory, as the workers saw it.
  const LowestMemory& lowest() const { return lowest_; }

 private:
  struct Started {
    PeerStart start;
    std::unique_ptr<PeerWorker> worker;  // none: it cannot be used any more
    PeerWorkerMemory memory;
  };
  // The cells of a turn.
  std::span<CellResult> cells_of(std::size_t turn);
  Status load_worker(Started& started, std::span<CellResult> cells);
  void take(Started& started, const PeerHeld& held);
  // The engine gave no result; each of its reasons is one line of left_out().
  void fail(CellResult& cell, const Error& error);
  // It gave a wrong one.
  void differ(CellResult& cell, const std::string& difference);

  const std::vector<ListedQuery>& queries_;
  const std::atomic<bool>& stop_;
  LowestMemory lowest_;
  std::vector<Started> workers_;
  std::vector<CellResult> cells_;  // worker by worker, each with all queries
  std::vector<std::string> left_out_;
  std::vector<std::string> differences_;
};

}  // namespace hdbench::bench
