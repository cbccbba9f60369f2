// What limits trust in a run's figures: the counts that it rests on, the quality gate, which makes
// the figures of a whole run unfit to decide on, and the gravest caveats.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

// More than these, and the figures are doubted.
constexpr double kDoubtedShare = 0.1;  // of the cells; of the CPUs' time
constexpr double kDoubtedWidth = 0.5;  // of the median: half an interval

// What is distrusted of all cells.
struct TrustFigures {
  std::size_t known = 0;                                             // cells that have a ceiling
  std::vector<std::pair<const ReportCell*, CellCeiling>> above;      // which cannot be
  std::vector<std::pair<const ReportCell*, CellCeiling>> explained;  // above, for a known reason
  const ReportCell* widest = nullptr;  // interval; null: no cell has one
  double width = 0;                    // ReportPivot::half_width() of it
  std::size_t without = 0;             // cells that have rows, but no interval
  // Of intervals of cells that the caches do not hold:
  std::size_t judged = 0;
  std::size_t wide = 0;          // beyond kDoubtedWidth
  bool is_primary_wide = false;  // one of those is of the primary block
  double judged_width = 0;       // the widest
};
TrustFigures trust_figures(const ReportPivot& pivot);

struct Doubt {
  std::string what;    // "26 of 132 figures (20 %) are above their ceiling, which cannot be."
  std::string remedy;  // "Run it again ..."
};

constexpr const char* kDoubtsTitle = "These figures are not fit to decide on";

// The gate, which a report shows above everything else: of cells above their ceiling, of work of
// others, and of wide intervals; empty where the figures pass. Intervals are doubted where one of
// the primary block is too wide, or many of all.
std::vector<Doubt> doubts(const ReportPivot& pivot);

// What limits trust in the figures, gravest first, a sentence each; at most so many.
std::vector<std::string> gravest_caveats(const ReportPivot& pivot, std::size_t most = 3);

}  // namespace hdbench::bench
