#include <nlohmann/json.hpp>

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

nlohmann::json json_of(const Comparison& comparison) {
  return nlohmann::json::parse(comparison_json(comparison));
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

TEST_CASE("what all cells have in common is above the table") {
  Comparison comparison = slower_cell();
  comparison.cells.push_back(comparison.cells.front());
  comparison.cells.back().name = "Q01/medium:nvme/threads:1";
  CHECK(says(comparison, "all: threads:1\n"));
  CHECK(says(comparison, "\nQ01/medium:nvme "));
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

TEST_CASE("what is not known is null in a comparison's JSON") {
  const auto json = json_of({});
  for (const char* name :
       {"geometric_mean", "maximum", "best_possible_geometric_mean", "noise_a"}) {
    INFO(name);
    CHECK(json[name].is_null());
  }
  CHECK(json["by"] == "time");
  CHECK(json["cells"].empty());
  CHECK(json["not_judged"] == 0);
}

TEST_CASE("a compared cell's JSON has its interval, noise in per cent and verdict") {
  Comparison comparison;
  comparison.held_by = HeldBy::kCeiling;
  comparison.files = {{"B2", "b2.json", "c", "d"}};
  comparison.files_of_b = 2;
  comparison.noise_a = SideNoise{0.01, 0.02};
  comparison.noise_b = SideNoise{0.03, 0.04};
  comparison.only_b = {"Q09"};
  ComparedCell cell;
  cell.name = "Q01";
  cell.judged.ratio = {0.5, Interval{0.4, 0.6}};
  cell.judged.verdict = Verdict::kFaster;
  cell.judged.noise_a = 0.25;
  comparison.cells = {cell};

  const auto json = json_of(comparison);
  CHECK(json["by"] == "ceiling");
  CHECK(json["files"][0]["side"] == "B2");
  CHECK(json["noise_a"]["of"] == "halves of the only file");
  CHECK(json["noise_b"]["of"] == "files");
  CHECK(json["noise_b"]["most_percent"] == 4.0);
  CHECK(json["cells"][0]["interval"] == nlohmann::json{0.4, 0.6});
  CHECK(json["cells"][0]["noise_a_percent"] == 25.0);
  CHECK(json["cells"][0]["noise_b_percent"].is_null());
  CHECK(json["cells"][0]["verdict"] == "faster");
  CHECK(json["faster"] == 1);
  CHECK(json["not_judged"] == 1);
}

}  // namespace hdbench::bench
