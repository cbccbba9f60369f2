// What rank 0 has the other ranks of an MPI job do. All run the same command over the same
// database; the others open their session and then wait for what rank 0's does: load a placement,
// bind and map queries, reach a state of the cache, run a query.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/model/axes.h"
#include "bench/model/query_list.h"
#include "bench/ranks/shared_partitions.h"
#include "bench/run/table_placement.h"
#include "engine/base/byte_stream.h"
#include "engine/base/result.h"

namespace hdbench::bench {

class Session;

// Rank 0's side. Errors: the first rank's that has one, which it names.
class RankCommands {
 public:
  explicit RankCommands(SharedPartitions& ranks) : ranks_(ranks) {}
  ~RankCommands();  // the others' sessions end
  RankCommands(const RankCommands&) = delete;
  RankCommands& operator=(const RankCommands&) = delete;

  Status place(const std::vector<std::string>& tables, const PlacementChoice& choice);
  // The queries with these numbers. maps: and the columns that they need.
  Status bind(const BoundQueries& bound, bool maps);
  Status prepare(Cache cache);
  // Returns when all are about to run it. Requires: it was bound.
  Status begin_run(const BoundQuery& query, const Setting& setting);

 private:
  Status ask(const ByteSink& command);

  SharedPartitions& ranks_;
  std::map<const Plan*, int> ids_;
};

// Another rank's side: does what rank 0 says until its session ends. `queries`: the same.
Status serve_rank_0(Session& session, SharedPartitions& ranks,
                    const std::vector<ListedQuery>& queries);

}  // namespace hdbench::bench
