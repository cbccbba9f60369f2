// Whether one of two programs is slower, cell by cell, from the times of one or more files a side.
//
// The ratio is the median of all of B's times over the median of all of A's. Its interval reaches
// as far as the widest of these:
//
// - the bootstrap interval of the repetitions (bootstrap.h), whose level is shared among the cells;
// - the noise, A against A and B against B: the medians of a side's files, or of the two halves of
//   its only file, differ although the program is the same. Their variance is the cell's own or
//   that of the middle cell, whichever is larger; its own reaches no further than the least and the
//   greatest of its times lie apart. Shared drift makes cells differ together, so the variance has
//   no more degrees of freedom than the files or halves;
// - the machine: where its own least time for the same bytes moved between the sides, the ratio
//   with and without that part.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/base/bootstrap.h"

namespace hdbench::bench {

// kNotJudged: a side has fewer than two times.
enum class Verdict { kSame, kFaster, kSlower, kInconclusive, kNotJudged };
std::string_view word(Verdict verdict);

// Same: the whole interval lies within Ratio::kSame of 1, as a factor, and not beyond the
// threshold. Slower or faster: it lies beyond the threshold, or it excludes 1 and is not the same.
Verdict verdict_of(const std::optional<Interval>& interval, double threshold_percent);

// What is done with the machine's part of a ratio.
enum class MachinePart {
  kIgnored,  // the sides are different machines
  kMayBe,    // the interval holds the ratio with and without it
  kDivided,  // the ratio is without it
};

struct CellTimes {
  std::vector<Samples> a;  // of each file; all times above 0, at least one a side
  std::vector<Samples> b;
  std::optional<Ratio> machine;  // B's least time for the same bytes over A's
  MachinePart part = MachinePart::kMayBe;
};

struct Judgement {
  double a_ms = 0;
  double b_ms = 0;
  Ratio ratio;
  Verdict verdict = Verdict::kNotJudged;
  bool regression = false;
  // The greatest over the least median of a side's files or halves, less 1; nothing: one time only.
  std::optional<double> noise_a;
  std::optional<double> noise_b;
};

// Requires: threshold_percent >= 0.
std::vector<Judgement> judge(const std::vector<CellTimes>& cells, double threshold_percent);

}  // namespace hdbench::bench
