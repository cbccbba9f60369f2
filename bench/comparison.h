// Two results held against each other, cell by cell: what `hdbench compare` says.
//
// A cell's ratio is B's median over A's: above 1, B is slower. It is a regression where its whole
// interval (bootstrap.h) lies above the threshold. Cells that only one side has are named, never
// guessed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/bootstrap.h"
#include "bench/results_reader.h"

namespace hdbench {

enum class Verdict { kSame, kFaster, kSlower, kUnknown };
std::string_view word(Verdict verdict);

struct ComparedCell {
  std::string name;
  double a_ms = 0;
  double b_ms = 0;
  Ratio ratio;
  // kUnknown: a side has fewer than two repetitions.
  Verdict verdict = Verdict::kUnknown;
  bool regression = false;
  bool same_result = true;  // or a side has no checksum
};

struct Comparison {
  std::vector<ComparedCell> cells;
  std::optional<double> geometric_mean;  // of the ratios
  std::optional<double> maximum;
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  std::vector<std::string> no_figure;  // 0N on a side, with which
  std::vector<std::string> notes;      // how the two runs differ: machine, commit, rows
  std::size_t regressions = 0;
  std::size_t different_results = 0;
};

// threshold_percent >= 0: 5 calls it a regression when B takes surely more than 1.05 times as long.
Comparison compare(const SavedRun& a, const SavedRun& b, double threshold_percent);

// A table with a line a cell, the means below.
std::string comparison_text(const Comparison& comparison, const SavedRun& a, const SavedRun& b,
                            double threshold_percent);
std::string comparison_json(const Comparison& comparison, double threshold_percent);

}  // namespace hdbench
