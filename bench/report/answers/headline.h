// What a report says first: how many times as long queries take on each tier as in DRAM, in one
// sentence and as figures for one chart, and what most limits trust in them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench {

// A tier's time over the base's, of the primary block.
struct TierCost {
  std::size_t column = 0;
  std::size_t base = 0;  // the column that it is set against: same machine, layout and codes
  std::string name;      // "cold NVMe": the label without what it shares with its base
  // mean_ratio() of the queries. Nothing: none has a time on both that may be used.
  std::optional<Ratio> times = {};
  std::vector<std::pair<std::size_t, Ratio>> queries = {};  // each query's
  std::size_t impossible = 0;  // queries left out, as a cell of theirs is above its ceiling
};

struct Headline {
  std::string sentence;           // about real tiers, or why nothing can be said of them
  std::string emulated_sentence;  // empty where no tier is emulated
  std::string basis;              // "Geometric means of 11 queries; 3 cells are left out, ..."
  std::string base;               // "DRAM"; the reference's label where DRAM was not run
  std::vector<TierCost> real;     // greatest cost first
  std::vector<TierCost> emulated;
};

Headline headline(const ReportPivot& pivot);

// "64.8x (52.1 to 80.6)"; "cannot be said".
std::string cost_text(const TierCost& cost);

// What limits trust in the figures, gravest first, a sentence each; at most so many.
std::vector<std::string> gravest_caveats(const ReportPivot& pivot, std::size_t most = 3);

}  // namespace hdbench
