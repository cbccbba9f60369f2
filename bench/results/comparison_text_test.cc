#include "bench/results/comparison.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// One cell, half again as slow, of two files against one.
Comparison slower_cell() {
  Comparison comparison;
  comparison.files = {{"A1", "a1.json", "c1", "d1"}, {"A2", "a2.json", "c1", "d2"}};
  comparison.files_of_a = 2;
  ComparedCell cell;
  cell.name = "Q01/medium:dram/threads:1";
  cell.judged.a_ms = 10;
  cell.judged.b_ms = 15;
  cell.judged.ratio = {1.5, Interval{1.4, 1.6}};
  cell.judged.verdict = Verdict::kSlower;
  cell.judged.regression = true;
  cell.judged.noise_a = 0.02;
  cell.judged.noise_b = 0.031;
  cell.best_possible_ratio = 1.25;
  comparison.cells = {cell};
  comparison.geometric_mean = 1.5;
  comparison.maximum = 1.5;
  comparison.noise_a = SideNoise{0.02, 0.02};
  comparison.noise_b = SideNoise{0.031, 0.031};
  comparison.regressions = 1;
  return comparison;
}

bool says(const Comparison& comparison, const std::string& text) {
  const std::string all = comparison_text(comparison);
  INFO(all);
  return all.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a line a cell has both times, the ratio, the machine's, the larger noise, the verdict") {
  Comparison comparison = slower_cell();
  CHECK(says(comparison,
             "10.000     15.000   1.500  1.400 .. 1.600      1.250    3.1 %  slower, "
             "REGRESSION\n"));
  CHECK(says(comparison, "A2: a2.json (c1, d2)\n"));
  CHECK(says(comparison, "1 slower, 0 the same, 0 inconclusive, 0 not judged; 1 regression over"));
  comparison.cells.front().judged.ratio.interval.reset();
  comparison.cells.front().best_possible_ratio.reset();
  comparison.cells.front().same_result = false;
  CHECK(says(comparison,
             "1.500  -                       -    3.1 %  slower, REGRESSION, ANOTHER "
             "RESULT\n"));
}

TEST_CASE("what all cells have in common stands above the table") {
  Comparison comparison = slower_cell();
  comparison.cells.push_back(comparison.cells.front());
  comparison.cells.back().name = "Q01/medium:nvme/threads:1";
  CHECK(says(comparison, "all: threads:1\n"));
  CHECK(says(comparison, "\nQ01/medium:nvme "));
}

TEST_CASE("noise says whether it is of files or of halves") {
  CHECK(says(slower_cell(), "noise, A against A (its files): 2.0 % in the middle cell"));
  CHECK(says(slower_cell(), "noise, B against B (halves of its only file): 3.1 %"));
}

TEST_CASE("by ceiling the mean says which cells were not divided") {
  Comparison comparison = slower_cell();
  comparison.held_by = HeldBy::kCeiling;
  CHECK(says(comparison, "B / A, less the machine's part: geometric mean 1.500"));
  comparison.not_divided = 3;
  CHECK(says(comparison, "less the machine's part but of 3 emulated cells: geometric mean"));
}

TEST_CASE("cells that could not be compared are named below the table") {
  Comparison comparison;
  comparison.no_figure = {"Q02: no figure in A"};
  comparison.only_a = {"Q03"};
  comparison.only_b = {"Q04"};
  CHECK(says(comparison, "0N: Q02: no figure in A\nonly in A: Q03\nonly in B: Q04\n"));
  CHECK(says(comparison, "3 not judged"));
}

}  // namespace hdbench::bench
