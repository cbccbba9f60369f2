// The experiment matrix: the placements of a run and the settings of each, determined before any
// table is loaded, and what cannot be run and why.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/model/axes.h"
#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/run/session.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// The axes as the command line gave them.
struct AxisLists {
  // By the axes' names; an axis that is not there has no values, and layout default_layouts().
  std::map<std::string, std::vector<std::string>, std::less<>> words = {
      {"codes", {"stored"}}, {"prefetch", {"off"}}, {"compressed", {"asis"}}};
  std::string dataset = {};  // Setting's
  std::string volume = {};   // Setting's

  const std::vector<std::string>& of(std::string_view axis) const;
  std::vector<std::size_t> threads() const;
};

// The lists that these comma lists give. Errors: parse_axis()'s.
Result<AxisLists> axis_lists(const std::map<std::string, std::string>& words,
                             std::size_t all_threads);

// The layouts that the paper compares: a medium with a cache (a disk) has the database as it is, a
// memory medium both layouts.
std::vector<std::string> default_layouts(bool has_cache);

// One medium, layout, form of codes and way to unpack, and what is known of its tables once they
// are there.
struct PlacementFacts {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  bool has_cache = false;
  bool has_parted_column = false;
  Codes codes = Codes::kStored;
  Compressed compressed = Compressed::kAsStored;
};

struct PlacementCells {
  std::vector<Setting> settings;
  // One line for each value of an axis that cannot be here: "attr:parted, layout:partitioned: ...".
  std::vector<std::string> left_out;
};

// Cold before warm where a medium has a cache, warm only elsewhere; then limits, then the other
// axes in their order (reading ahead off only, where there is no device to read from).
PlacementCells expand(const AxisLists& lists, const PlacementFacts& facts);

struct PlannedPlacement : PlacementFacts {
  std::vector<Setting> settings;

  bool has_cold() const;
  // "dram flat", "nvme partitioned narrow".
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
