// The experiment matrix: which settings of the axes run, and which cannot and why.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/model/axes.h"

namespace hdbench::bench {

// The axes as the command line gave them.
struct AxisLists {
  // By the axes' names; an axis that is not there has no values, and layout default_layouts().
  std::map<std::string, std::vector<std::string>, std::less<>> words = {{"codes", {"stored"}},
                                                                        {"prefetch", {"off"}}};
  std::string dataset = {};  // Setting's
  std::string volume = {};   // Setting's

  const std::vector<std::string>& of(std::string_view axis) const;
  std::vector<std::size_t> threads() const;
  // What the disk's readahead is set to in turn; one of nothing: it is left as it is.
  std::vector<std::optional<std::uint64_t>> readaheads() const;
};

// The lists that these comma lists give. Errors: parse_axis()'s.
Result<AxisLists> axis_lists(const std::map<std::string, std::string>& words,
                             std::size_t all_threads);

// The layouts that the paper compares: a medium with a cache (a disk) has the database as it is, a
// memory medium both layouts.
std::vector<std::string> default_layouts(bool has_cache);

// What is known of a medium and its tables once they are there.
struct PlacementFacts {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  bool has_cache = false;
  bool has_parted_column = false;
  Codes codes = Codes::kStored;
  std::optional<std::uint64_t> readahead_kib = {};  // Setting's
};

struct PlacementCells {
  std::vector<Setting> settings;
  // One line for each value of an axis that cannot be here: "attr:parted, layout:partitioned: ...".
  std::vector<std::string> left_out;
};

// Cold before warm where a medium has a cache, warm only elsewhere; then limits, then the other
// axes in their order (reading ahead off only, where there is no device to read from).
PlacementCells expand(const AxisLists& lists, const PlacementFacts& facts);

}  // namespace hdbench::bench
