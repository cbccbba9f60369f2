// Compares two results cell by cell, for `hdbench compare`.
//
// A cell's ratio is B's median over A's: above 1, B is slower. It is a regression if its whole
// interval (bootstrap.h) is above the threshold. Cells of one side only are listed by name.
//
// A shared machine may be slower on another day. Beside each cell stands how its best possible time
// moved (cell_ceiling.h), measured in the cell's own rounds; compared by the ceiling, the ratio of
// the times is divided by that.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/results/results_reader.h"

namespace hdbench {

enum class Verdict { kSame, kFaster, kSlower, kUnknown };
std::string_view word(Verdict verdict);
// kSame where the interval holds 1; kUnknown without one.
Verdict verdict_of(const Ratio& ratio);

enum class HeldBy { kTime, kCeiling };

struct ComparedCell {
  std::string name;
  double a_ms = 0;
  double b_ms = 0;
  Ratio ratio;
  std::optional<double> floor_ratio;  // B's floor over A's; nothing: a side has no ceiling
  // kUnknown: a side has fewer than two repetitions.
  Verdict verdict = Verdict::kUnknown;
  bool regression = false;
  bool same_result = true;  // or a side has no checksum
};

struct Comparison {
  HeldBy held_by = HeldBy::kTime;
  std::vector<ComparedCell> cells;
  std::optional<double> geometric_mean;  // of the ratios
  std::optional<double> maximum;
  std::optional<double> floors_mean;  // geometric, of the floors' ratios
  std::size_t floors = 0;             // that it is of
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  std::vector<std::string> no_figure;  // 0N on a side, with which
  std::vector<std::string> notes;      // how the two runs differ: machine, commit, rows
  std::size_t regressions = 0;
  std::size_t different_results = 0;
};

// threshold_percent >= 0: 5 calls it a regression when B takes surely more than 1.05 times as long.
// kCeiling: a cell without a ceiling has no figure. The ceilings' own error is not in the
// intervals.
Comparison compare(const SavedRun& a, const SavedRun& b, double threshold_percent,
                   HeldBy held_by = HeldBy::kTime);

// A table with a line a cell, the means below.
std::string comparison_text(const Comparison& comparison, const SavedRun& a, const SavedRun& b,
                            double threshold_percent);
std::string comparison_json(const Comparison& comparison, double threshold_percent);

}  // namespace hdbench
