// What a report says first: how many times as long queries take on each tier as in DRAM, in one
// sentence and as figures for one chart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/report/views/report_pivot.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {

// A tier's time over the base's, of the primary block.
struct TierCost {
  std::size_t column = 0;
  std::size_t base = 0;  // the column that it is set against: same machine, layout and codes
  std::string name;      // "cold NVMe": the label without what it shares with its base
  bool is_emulated = false;
  PairMean pairs = {};
  // How fast memory itself was beside the slowest and the fastest placement of the base's machine,
  // over how fast beside the base, by the rounds of each; 1 where that is not known.
  Interval memory = {1, 1};
  // Of the pairs; with an interval, which allows for that. Nothing: none may be used.
  std::optional<Ratio> times = {};
};

struct Headline {
  std::string sentence;           // about real tiers, or why nothing can be said of any
  std::string emulated_sentence;  // empty where no tier is emulated
  std::string basis;              // "Geometric means of 4 queries; 7 of 11 are left out: ..."
  bool is_partial = false;        // whether queries are in the means and others are left out
  std::string base;               // "DRAM"; the reference's label where DRAM was not run
  std::vector<TierCost> tiers;    // real ones first, each by their cost, the greatest first
};

Headline headline(const ReportPivot& pivot);

// "64.8x (52.1 to 80.6)"; "no difference could be shown (0.60 to 1.30)"; "cannot be said".
std::string cost_text(const TierCost& cost);

}  // namespace hdbench::bench
