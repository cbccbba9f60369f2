#include "bench/results/comparison.h"

#include <nlohmann/json.hpp>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult cell_of(int query, std::vector<double> times) {
  CellResult cell;
  cell.query = query;
  cell.setting.medium = "dram";
  cell.real_ms = std::move(times);
  cell.cpu_ms = cell.real_ms;
  cell.rows_out = 1;
  cell.checksum = 7;
  return cell;
}

SavedRun run_of(std::vector<CellResult> cells) {
  SavedRun run;
  run.file = "r.json";
  run.cells = std::move(cells);
  return run;
}

const std::vector<double> kFast{10, 10.1, 9.9, 10, 10.05};
const std::vector<double> kSlow{20, 20.1, 19.9, 20, 20.05};

TEST_CASE("two runs without cells have nothing to say") {
  const Comparison comparison = compare({}, {}, 5);
  CHECK(comparison.cells.empty());
  CHECK_FALSE(comparison.geometric_mean);
  CHECK(comparison_text(comparison, {}, {}, 5).find("0 regressions") != std::string::npos);
}

TEST_CASE("a run is the same as itself") {
  const SavedRun run = run_of({cell_of(1, kFast), cell_of(2, kSlow)});
  const Comparison comparison = compare(run, run, 0);
  CHECK(comparison.geometric_mean == Approx(1));
  CHECK(comparison.regressions == 0);
  CHECK(comparison.cells[0].verdict == Verdict::kSame);
}

TEST_CASE("a slower cell is a regression only over the threshold") {
  const SavedRun a = run_of({cell_of(1, kFast)});
  const SavedRun b = run_of({cell_of(1, kSlow)});
  CHECK(compare(a, b, 5).regressions == 1);
  CHECK(compare(a, b, 150).regressions == 0);
  CHECK(compare(b, a, 5).regressions == 0);
  CHECK(compare(a, b, 5).cells[0].verdict == Verdict::kSlower);
  CHECK(compare(b, a, 5).cells[0].verdict == Verdict::kFaster);
  CHECK(compare(a, b, 5).maximum == Approx(2));
}

TEST_CASE("single repetitions are never a regression") {
  const Comparison comparison = compare(run_of({cell_of(1, {1})}), run_of({cell_of(1, {9})}), 5);
  CHECK(comparison.regressions == 0);
  CHECK(comparison.cells[0].verdict == Verdict::kUnknown);
}

TEST_CASE("what one side lacks is named") {
  CellResult limited = cell_of(3, {});
  limited.rows_out.reset();
  limited.error = "-w";
  const SavedRun a = run_of({cell_of(1, kFast), cell_of(3, kFast)});
  const SavedRun b = run_of({cell_of(2, kFast), limited});
  const Comparison comparison = compare(a, b, 5);
  CHECK(comparison.cells.empty());
  CHECK(comparison.only_a.size() == 1);
  CHECK(comparison.only_b.size() == 1);
  REQUIRE(comparison.no_figure.size() == 1);
  CHECK(comparison.no_figure[0].find("no figure in B") != std::string::npos);
}

TEST_CASE("another result is told, whatever the times say") {
  CellResult other = cell_of(1, kFast);
  other.checksum = 8;
  const Comparison comparison = compare(run_of({cell_of(1, kFast)}), run_of({other}), 5);
  CHECK(comparison.different_results == 1);
  CHECK(comparison_text(comparison, {}, {}, 5).find("ANOTHER RESULT") != std::string::npos);
}

TEST_CASE("the JSON says what the text says") {
  const Comparison comparison =
      compare(run_of({cell_of(1, kFast)}), run_of({cell_of(1, kSlow)}), 5);
  const auto json = nlohmann::json::parse(comparison_json(comparison, 5));
  CHECK(json["regressions"] == 1);
  CHECK(json["cells"][0]["verdict"] == "slower");
  CHECK(json["cells"][0]["interval"].size() == 2);
}

}  // namespace
}  // namespace hdbench
