// The experiment matrix: which settings of the axes run, and which cannot and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/model/axes.h"

namespace hdbench {

// The axes as the command line gave them.
struct AxisLists {
  std::vector<std::string> media;
  std::optional<std::vector<Layout>> layouts;  // nothing: default_layouts()
  std::vector<AttrUse> attrs;
  std::vector<Mode> modes;
  std::vector<std::size_t> threads;
  std::vector<Cache> caches;
  std::vector<std::uint64_t> limits_mib;
  std::vector<Codes> codes{Codes::kStored};
  std::vector<Prefetch> prefetches{Prefetch::kOff};
  std::string dataset;      // Setting's
  std::string volume = {};  // Setting's
};

// The layouts that the paper compares: a medium with a cache (a disk) has the database as it is, a
// memory medium both layouts.
std::vector<Layout> default_layouts(bool has_cache);

// What is known of a medium and its tables once they are there.
struct PlacementFacts {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  bool has_cache = false;
  bool has_parted_column = false;
  Codes codes = Codes::kStored;
};

struct PlacementCells {
  std::vector<Setting> settings;
  // One line for each value of an axis that cannot be here: "attr:parted, layout:partitioned: ...".
  std::vector<std::string> left_out;
};

// Cold before warm where a medium has a cache, warm only elsewhere; then limits, attributes, modes,
// threads, reading ahead (off only, where there is no device to read from).
PlacementCells expand(const AxisLists& lists, const PlacementFacts& facts);

}  // namespace hdbench
