#include "bench/report/answers/quality.h"

#include <algorithm>

#include "bench/machine/other_load.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::vector<Doubt> doubts_of(SavedRun run) { return doubts(SamplePivot(std::move(run))); }

CellResult spread_cell(int query) {
  CellResult cell = sample_cell(query, "dram", 10);
  cell.real_ms = {1, 10, 30};
  return cell;
}

TEST_CASE("a sound run is not doubted, nor is one without repetitions") {
  CHECK(doubts_of(sample_run({sample_cell(1, "dram", 10)})).empty());
  CellResult once = sample_cell(1, "dram", 10);
  once.real_ms = {10};
  CHECK(doubts_of(sample_run({once})).empty());
}

TEST_CASE("over a tenth of the figures above their ceiling are doubted") {
  const auto count = [](int impossible) {
    std::vector<CellResult> cells;
    for (int query = 1; query <= 20; ++query)
      cells.push_back(sample_cell(query, "dram", query <= impossible ? 1 : 10));
    return doubts_of(sample_run_with_ceiling(std::move(cells))).size();
  };
  CHECK(count(0) == 0);
  CHECK(count(2) == 0);
  CHECK(count(3) == 1);
}

TEST_CASE("over a tenth of the CPUs taken while queries were timed is doubted") {
  const auto count = [](const char* name, std::optional<double> percent) {
    SavedRun run = sample_run({sample_cell(1, "dram", 10)});
    run.context.preflight = {{name, "others", percent}};
    return doubts_of(std::move(run)).size();
  };
  CHECK(count(OtherLoad::kNoteName, 9.9) == 0);
  CHECK(count(OtherLoad::kNoteName, 10.1) == 1);
  CHECK(count(OtherLoad::kNoteName, std::nullopt) == 0);
  CHECK(count("load", 90) == 0);  // before the run; while it ran there was none
}

TEST_CASE("an interval beyond half its median is doubted in the primary block") {
  CHECK(doubts_of(sample_run({spread_cell(1)})).size() == 1);
  SavedRun cached = sample_run({spread_cell(1)});
  cached.context.ceilings.memory.cache_bytes = std::uint64_t{300} << 20;
  CHECK(doubts_of(std::move(cached)).empty());
  std::vector<CellResult> cells;
  for (int query = 1; query <= 20; ++query) cells.push_back(sample_cell(query, "dram", 10));
  cells.push_back(spread_cell(1));
  cells.back().setting.mode = Mode::k36;
  CHECK(doubts_of(sample_run(cells)).empty());
  for (int query = 2; query <= 5; ++query) {
    cells.push_back(spread_cell(query));
    cells.back().setting.mode = Mode::k36;
  }
  CHECK(doubts_of(sample_run(cells)).size() == 1);
}

TEST_CASE("a note too long for a caveat ends before a clause, never within parentheses") {
  SavedRun run = sample_run({sample_cell(1, "dram", 10)});
  run.context.preflight = {{"idle",
                            std::string(100, 'x') + " (seen: " + std::string(50, 'y') +
                                "; not 1.4; " + std::string(50, 'z') +
                                "); mend it so: " + std::string(50, 'm'),
                            {}}};
  const ReportInput input = sample_input(std::move(run));
  const auto caveats = gravest_caveats(ReportPivot(input));
  CHECK(std::find(caveats.begin(), caveats.end(), "X" + std::string(99, 'x') + ".") !=
        caveats.end());
}

}  // namespace
}  // namespace hdbench::bench
