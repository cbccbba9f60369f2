// The placements of a run and the cells of each, determined before any table is loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/run/matrix.h"
#include "bench/run/session.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct PlannedPlacement {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  Codes codes = Codes::kStored;
  bool has_cache = false;
  std::vector<Setting> settings;
  std::optional<std::uint64_t> readahead_kib = {};  // Setting's

  bool has_cold() const;
  // "dram flat", "nvme partitioned narrow", "nvme partitioned, readahead 128 KiB".
  std::string title() const;
};

struct PlacementList {
  std::vector<PlannedPlacement> placements;
  // A line for each medium that is not here, and each value of an axis that cannot be.
  std::vector<std::string> left_out;
};

// All media are tried before anything is run: an unknown name must not come up an hour later.
// Errors: kUsage for such a name; the database's, for a table that cannot be read.
Result<PlacementList> list_placements(Session& session, const std::vector<ListedQuery>& queries,
                                      const AxisLists& lists);

// Whether the error ends one placement and not the run: bad data, an absent medium, or memory that
// is not there.
constexpr bool ends_placement(const Error& error) {
  return error.kind == ErrorKind::kData || error.kind == ErrorKind::kLimit;
}

// Seconds that a placement will take, roughly (time_budget.h).
double estimate_of(const PlannedPlacement& placement, std::size_t queries,
                   std::uint64_t table_bytes, const AxisLists& lists, const RepetitionRule& rule);

}  // namespace hdbench::bench
