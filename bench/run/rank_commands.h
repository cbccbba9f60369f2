// What rank 0 has the other ranks of an MPI job do. All run the same command over the same
// databases; the others open their sessions and then do what rank 0's sessions do: load a
// placement, bind and map queries, reach a state of the cache, measure ceilings, run a query.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/memory_probe.h"
#include "bench/model/axes.h"
#include "bench/model/query_list.h"
#include "bench/model/rank_context.h"
#include "bench/model/users_cell.h"
#include "bench/ranks/shared_partitions.h"
#include "bench/run/table_placement.h"
#include "bench/users/load.h"
#include "engine/base/byte_stream.h"
#include "engine/base/result.h"
#include "engine/operator/query_context.h"
#include "pmem/media/medium.h"

namespace hdbench::bench {

class Session;

// What another rank says of a run.
struct RankRun {
  double begin_ms = 0;  // by its own clock_ms()
  double real_ms = 0;   // an emulated device's waits included
  double cpu_ms = 0;
  RankTimes times;
  std::uint64_t bytes_unpacked = 0;
  std::uint64_t peak_bytes = 0;  // of its workspace
  std::uint64_t major_faults = 0;
  std::uint64_t minor_faults = 0;
  bool is_device_known = false;
  std::uint64_t device_bytes = 0;
};

// Rank 0's side. Errors: the first rank's that has one, which it names. Lists are by rank, rank 0's
// own left as it is.
class RankCommands {
 public:
  explicit RankCommands(SharedPartitions& ranks);
  ~RankCommands();  // the others' sessions end
  RankCommands(const RankCommands&) = delete;
  RankCommands& operator=(const RankCommands&) = delete;

  // Machines and notes, with the preflight of that many threads.
  Status describe(std::size_t threads, std::vector<RankContext>& ranks);
  NetworkFigures measure_network();

  Status place(const std::vector<std::string>& tables, const PlacementChoice& choice);
  // Labels of the medium that was placed.
  const std::vector<std::string>& media() const { return media_; }
  // The queries with these numbers. maps: and the columns that they need.
  Status bind(const BoundQueries& bound, bool maps);
  // The others' proofs together. Where ranks have replicas, they only let go of their pages before
  // a cold state: of one host they would keep the same files in the page cache.
  Result<CacheProof> prepare(Cache cache);
  Status verify_placement();
  // Begins a round of ceilings on all others; rank 0 measures, and then takes theirs: by rank, a
  // figure a thread count, or fewer where memory was short.
  void begin_ceilings(const std::vector<std::size_t>& threads, std::size_t buffer_bytes);
  Result<std::vector<std::vector<MemoryRound>>> take_ceilings();
  // As Session's.
  Status renew_results();
  // While rank 0 does something alone: else they would take it for dead.
  void have_wait();

  // Returns when all are about to run it. Requires: it was bound.
  Status begin_run(const BoundQuery& query, const Setting& setting);
  // Then, once it has ended there: by rank.
  std::vector<RankRun> take_runs();

  // A round of users, of whom each rank answers its part (rank_load.h). The others make their pools
  // meanwhile.
  void begin_users(const UsersCell& cell, const LoadPlan& load);
  // Returns when all are about to begin, with whether this rank is ready, too; errors: nobody does.
  Status let_users_go(const Status& own);
  // Then, once it has ended there: by rank. Adds what befell their processes to the cell.
  Result<std::vector<LoadRound>> take_users(UsersCell& cell);

 private:
  enum class Command : std::uint8_t;
  ByteSink begin(Command command) const;
  Result<Ranks::Answers> ask(const ByteSink& command);
  Status asked(const ByteSink& command);  // without the answers

  friend class RankFollower;
  SharedPartitions& ranks_;
  const std::size_t number_;  // of the session
  std::map<const Plan*, int> ids_;
  std::vector<std::string> media_;
};

// Another rank's sessions, in the order in which rank 0 opened its own, with the queries of each.
struct FollowedSession {
  Session& session;
  const std::vector<ListedQuery>& queries;
};
// Does what rank 0 says until its sessions end.
Status serve_rank_0(const std::vector<FollowedSession>& sessions);

}  // namespace hdbench::bench
