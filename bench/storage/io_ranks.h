// The ranks of an MPI job that run `hdbench io` together, each with processes and files of its own.
//
// All take the same steps in the same order. What one of them meets with (an error, an interrupt)
// all know before the next step, so that none waits for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/process_group.h"
#include "bench/storage/io_run.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/exec/ranks.h"

namespace hdbench::bench {

// What a rank is and can do.
struct IoRankPlan {
  IoRank rank;
  std::vector<std::string> tests;  // by name, those that can run on its targets
};

class IoRanks {
 public:
  // Messages, in the order of ranks.
  using Messages = std::vector<std::vector<std::byte>>;

  // Null: this process alone, which is then the only rank and hears itself.
  explicit IoRanks(Ranks* ranks) : ranks_(ranks) {}

  std::size_t count() const { return ranks_ == nullptr ? 1 : ranks_->count(); }
  std::size_t rank() const { return ranks_ == nullptr ? 0 : ranks_->rank(); }
  // "rank 2 on host-b"; empty where this process is alone.
  std::string name(std::size_t rank) const;
  // The message, behind the rank's name where there are several.
  std::string said_by(std::size_t rank, const std::string& message) const;

  // All ranks' messages: on each rank.
  Messages exchange(Bytes mine);
  // On rank 0; elsewhere this rank's alone.
  Messages gather(Bytes mine);

  // Waits for all ranks. Errors, on each rank: the first rank's that has one, behind its name
  // unless all have the same.
  Status agree(const Status& mine);
  template <typename T>
  Result<T> agree(Result<T> mine) {
    HDB_TRY(agree(mine.ok() ? ok_status() : Status(mine.error())));
    return mine;
  }

  // How many ranks run on this host. `what`: what this rank is about to run. Errors: kUsage:
  // another rank's is not rank 0's.
  Result<std::size_t> meet(const std::string& what, const std::string& host);
  // On each rank.
  std::vector<IoRankPlan> exchange_plans(IoRankPlan mine);
  // All ranks' lines, on each rank: what all say once, the rest behind the rank's name.
  std::vector<std::string> exchange_lines(const std::vector<std::string>& mine);

  // run_processes() on all ranks, begun together. On rank 0 the figures of all processes, a rank's
  // together; elsewhere this rank's. Times are by rank 0's clock, with which each rank's is
  // compared before: ranks that share CPUs begin when they get one, not when the barrier ends.
  Result<std::vector<ProcessFigures>> run(std::size_t processes, double seconds,
                                          const ProcessWork& work);

 private:
  // This rank's clock less rank 0's: half of what messages take longer one way than back, the
  // shortest of several each.
  std::int64_t clock_offset_ns();

  Ranks* ranks_;
};

}  // namespace hdbench::bench
