// The quality gate: what makes the figures of a whole run unfit to decide on, and what to do about
// it. A report shows this above everything else.
#pragma once

#include <string>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

// More than these, and the figures are doubted.
constexpr double kDoubtedShare = 0.1;  // of the cells; of the CPUs' time
constexpr double kDoubtedWidth = 0.5;  // of the median: half an interval

struct Doubt {
  std::string what;    // "26 of 132 figures (20 %) are above their ceiling, which cannot be."
  std::string remedy;  // "Run it again ..."
};

constexpr const char* kDoubtsTitle = "These figures are not fit to decide on";

// Of cells above their ceiling, of work of others, and of wide intervals of cells that the caches
// do not hold; empty where the figures pass. Intervals are doubted where one of the primary block
// is too wide, or many of all.
std::vector<Doubt> doubts(const ReportPivot& pivot);

}  // namespace hdbench::bench
