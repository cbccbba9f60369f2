// The peers' cells of a run: every (query, thread count) once for each engine, beside hdbench's own
// dram/flat cells.
//
// Workers run in blocks: all of them in one block, or each in its own, so that memory holds one at
// a time.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/machine/available_memory.h"
#include "bench/model/cell_result.h"
#include "bench/model/checksum_ledger.h"
#include "bench/model/peer_memory.h"
#include "bench/model/query_list.h"
#include "bench/peers/peer_worker.h"
#include "engine/base/result.h"

namespace hdbench {

struct PeerOptions {
  std::vector<std::string> engines;  // none: no peers
  std::string python;
  std::filesystem::path script;
  std::filesystem::path queries;  // peer_query_file()'s
};

// Parses --peers and --peers-python. Errors: kUsage for an unknown engine, or if there is no such
// Python: the message names the command that makes one.
Result<PeerOptions> peer_options(const std::string& engines, const std::string& python);

// The file that has all the queries under their numbers, paper.q or aggregates.q. Errors: kUsage
// where neither has: the peers know no others.
Result<std::filesystem::path> peer_query_file(const std::vector<ListedQuery>& queries);

class PeerCells {
 public:
  PeerCells(const PeerOptions& options, const std::filesystem::path& database,
            const std::vector<std::size_t>& threads, const std::vector<ListedQuery>& queries,
            const std::atomic<bool>& stop, PeerScheme scheme = PeerScheme::kTogether);

  // At least one, and be it empty.
  std::size_t block_count() const;

  // Starts the block's workers one after another. One that cannot be has a line in left_out(), and
  // its cells the error. Errors: an interrupt.
  Status load(std::size_t block = 0);
  // Runs each query once and holds the whole result against numpy's, or an aggregate's against
  // hdbench's own (floats within a tolerance); the right result's checksum goes to the ledger. A
  // result that differs is its cell's error. Errors: a checksum that is not hdbench's (kMismatch),
  // an interrupt.
  Status verify(ChecksumLedger& ledger, std::size_t block = 0);
  // One repetition of each cell without an error. Errors: an interrupt.
  Status repeat(std::size_t block = 0);
  // Ends the block's workers and waits until their memory is given back.
  void end(std::size_t block = 0);

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
    std::unique_ptr<PeerWorker> worker;  // none: it cannot be asked any more
    PeerWorkerMemory memory;
  };
  // Workers [first, last).
  struct Block {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  Block block_at(std::size_t block) const;
  Status load_worker(Started& started, std::size_t first_cell);
  void take(Started& started, const PeerHeld& held);
  // The engine gave no result; each of its reasons is one line of left_out().
  void fail(CellResult& cell, const Error& error);
  // It gave a wrong one.
  void differ(CellResult& cell, const std::string& difference);
  Started& worker_of(std::size_t cell) { return workers_[cell / queries_.size()]; }

  const std::vector<ListedQuery>& queries_;
  const std::atomic<bool>& stop_;
  PeerScheme scheme_;
  LowestMemory lowest_;
  std::vector<Started> workers_;
  std::vector<CellResult> cells_;  // worker by worker, each with all queries
  std::vector<std::string> left_out_;
  std::vector<std::string> differences_;
};

}  // namespace hdbench
