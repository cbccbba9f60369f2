// Compares two sides of results cell by cell, for `hdbench compare`. A side is one or more files of
// the same program.
//
// A cell's ratio is B's median over A's: above 1, B is slower. judgement.h says what its interval
// holds and what is called slower, faster and the same. Cells of one side only are listed by name.
// Where a query's text is not the same in all files, its cells are not judged: a query file was
// edited, and a number is another query.
//
// A shared machine may be slower on another day. Each cell also has how its best possible time
// moved (cell_ceiling.h), measured in the cell's own rounds. Compared by time, on one machine, a
// cell is slower only if it is so with and without the machine's part; compared by the ceiling, the
// ratio of the times is divided by it. Only some of an emulated cell's time is the host's, which is
// why its ratio is never divided.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/results/judgement.h"
#include "bench/results/results_json.h"

namespace hdbench::bench {

enum class HeldBy { kTime, kCeiling };

struct ComparedCell {
  std::string name;
  Judgement judged;
  std::optional<double>
      best_possible_ratio;  // B's best possible time over A's; nothing: a side has no ceiling
  bool same_result = true;  // or a side has no checksum
};

struct ComparedFile {
  std::string label;  // "A", or "A2" of several
  std::string file;
  std::string commit;
  std::string date;
};

struct QueryText {
  std::string label;  // of the file
  std::string text;
};

// A number that two files give to different queries.
struct OtherQuery {
  std::string query;  // "Q01"
  QueryText one;
  QueryText other;
  std::size_t cells = 0;
};

// How much equal programs differ: over the cells, of Judgement's noise.
struct SideNoise {
  double middle = 0;
  double most = 0;
};

struct Comparison {
  HeldBy held_by = HeldBy::kTime;
  double threshold_percent = 5;
  std::vector<ComparedFile> files;
  std::size_t files_of_a = 1;
  std::size_t files_of_b = 1;
  std::vector<ComparedCell> cells;
  std::optional<double> geometric_mean;  // of the ratios
  std::optional<double> maximum;
  std::optional<double> best_possible_mean;  // geometric, of these ratios
  std::size_t best_possible_cells = 0;       // that it is of
  std::size_t not_divided = 0;               // HeldBy::kCeiling: emulated cells
  std::optional<SideNoise> noise_a;
  std::optional<SideNoise> noise_b;
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  std::vector<std::string> no_figure;  // 0N on a side, with which
  std::vector<OtherQuery> other_queries;
  std::vector<std::string> notes;  // how the runs differ: machine, commit, rows
  std::size_t regressions = 0;
  std::size_t different_results = 0;

  std::size_t count(Verdict verdict) const;
  // Of one side only, of another query, without a figure, or with fewer than two times.
  std::size_t not_judged() const;
};

// threshold_percent >= 0: 5 calls it a regression when B takes surely more than 1.05 times as long.
// kCeiling: a cell without a ceiling has no figure. Requires: a file a side.
Comparison compare(std::span<const SavedRun> a, std::span<const SavedRun> b,
                   double threshold_percent, HeldBy held_by = HeldBy::kTime);
inline Comparison compare(const SavedRun& a, const SavedRun& b, double threshold_percent,
                          HeldBy held_by = HeldBy::kTime) {
  return compare(std::span(&a, 1), std::span(&b, 1), threshold_percent, held_by);
}

// "A", or "A2" of several.
std::string side_label(char side, std::size_t at, std::size_t files);

// Judges the cells of these times, which are in the cells' order, and adds up the rest.
void judge_cells(Comparison& comparison, const std::vector<CellTimes>& times);

// A table with a line a cell, the means below.
std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace hdbench::bench
