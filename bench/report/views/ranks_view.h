// Runs by several ranks as a report shows them: tables of plain texts, a header line first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/lines.h"
#include "bench/model/cell_result.h"
#include "bench/report/views/report_input.h"

namespace hdbench::bench {

// Medians of where a cell's time went, in ms.
struct RankShares {
  double ms = 0;            // the query's, rank 0's
  double map_ms = 0;        // the mean of the ranks
  double slowest_ms = 0;    // of the slowest of them
  std::size_t slowest = 0;  // which
  double transfer_ms = 0;   // rank 0 received
  double merge_ms = 0;      // rank 0 did what is left

  // The share of its time in which all ranks read; 1 where they share the work evenly and nothing
  // else takes time.
  double efficiency() const { return ms > 0 ? map_ms / ms : 0; }
  // What takes most beside that: "network", "merge" or "slowest rank 2"; "reading" where that takes
  // more than each of them.
  std::string bound() const;
};
// Requires: it has rank_times and a median.
RankShares rank_shares(const CellResult& cell);

struct RankTable {
  std::string title;
  TextRows rows;
  std::size_t left = 1;  // columns that are flush left
};

// Machines and network of each run; how its queries' time went, a table a setting; and times by
// numbers of ranks, where there are several. Empty without ranks.
std::vector<RankTable> rank_tables(const ReportInput& input);

// What they say: "2 ranks: efficiency 0.84 in the mean; Q10, Q11 are bound by the network".
std::vector<std::string> rank_lines(const ReportInput& input);

}  // namespace hdbench::bench
