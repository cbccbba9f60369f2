// The views of threads, limits, rates and peers that sections and charts show.
#include "bench/report/views/limit_view.h"
#include "bench/report/views/thread_view.h"
#include "bench/report/views/verdict.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult on_threads(CellResult cell, std::size_t threads) {
  cell.setting.threads = threads;
  return cell;
}

TEST_CASE("a group has a speed-up and an efficiency for each count") {
  const SamplePivot pivot(
      {on_threads(sample_cell(1, "dram", 100), 1), on_threads(sample_cell(1, "dram", 40), 4)});
  const auto groups = thread_groups(pivot);
  REQUIRE(groups.size() == 1);
  const ThreadPoint& point = groups.front().lines.front().points.back();
  CHECK(point.speedup->value == Approx(2.5));
  CHECK(point.efficiency_percent == Approx(62.5));
  CHECK_FALSE(groups.front().lines.front().enough);
}

TEST_CASE("a dip in between does not hide a gain further on") {
  const ReportInput input = sample_input({on_threads(sample_cell(1, "dram", 100), 1),
                                          on_threads(sample_cell(1, "dram", 100), 2),
                                          on_threads(sample_cell(1, "dram", 50), 4)});
  CHECK_FALSE(thread_groups(ReportPivot(input)).front().lines.front().enough);
}

// The first query of this run's only group.
ThreadLine line_of_run(std::vector<CellResult> cells, const Host& host = {}) {
  std::vector<SavedRun> runs{sample_run(std::move(cells))};
  runs.front().context.host = host;
  const ReportInput input = *merge_runs(std::move(runs));
  return thread_groups(ReportPivot(input)).front().lines.front();
}

std::vector<CellResult> cells_in(const std::vector<double>& ms) {
  std::vector<CellResult> cells;
  for (std::size_t i = 0; i < ms.size(); ++i)
    cells.push_back(on_threads(sample_cell(1, "dram", ms[i]), std::size_t{1} << i));
  return cells;
}

TEST_CASE("what binds the most threads is the serial part where a law with one explains them") {
  const ThreadLine line = line_of_run(cells_in({100, 60, 40}));
  REQUIRE(line.fit);
  CHECK(line.fit->sigma == Approx(0.2));
  CHECK(line.binding == Binding::kSerial);
  CHECK(line.binding_text == "the serial part");
  CHECK(speedup_text(line.points.back()) == "2.50x, 62 %");
  CHECK(line_of_run(cells_in({100, 60})).binding_text ==
        "not determined: two thread counts do not tell");
  CHECK(line_of_run(cells_in({100, 101, 40})).binding == Binding::kUnknown);
  CHECK(line_of_run(cells_in({100, 51, 26})).binding == Binding::kNothing);
  CHECK(line_of_run(cells_in({100, 58, 40, 38, 50})).binding == Binding::kPairs);
}

TEST_CASE("what binds the most threads is the CPUs where they have none of their own") {
  Host host;
  host.cpus = 2;
  CHECK(line_of_run(cells_in({100, 60, 40}), host).binding_text ==
        "shared CPUs: 4 threads on 2 CPUs");
  host.cpus = 4;
  host.cores = 2;
  CHECK(line_of_run(cells_in({100, 60, 40}), host).binding_text ==
        "shared CPUs: 4 threads on 2 cores");
  host.quota_cpus = 1.5;
  CHECK(line_of_run(cells_in({100, 60, 40}), host).binding_text ==
        "shared CPUs: 4 threads on the time of 1.5 CPUs");
  auto cells = cells_in({100, 60, 40});
  cells.back().throttled_periods = 12;
  CHECK(line_of_run(cells).binding_text == "shared CPUs: the quota stopped them in 12 periods");
}

TEST_CASE("what binds the most threads is the memory near its ceiling, unless it is emulated") {
  const auto bound_by = [](const std::vector<CellResult>& cells) {
    return thread_groups(SamplePivot(sample_run_with_ceiling(cells)))
        .front()
        .lines.front()
        .binding_text;
  };
  // By the bytes of a sample cell and the read rate of the sample's memory.
  CHECK(bound_by(cells_in({4, 2.5})) == "memory: 80 % of the read ceiling");
  CHECK(bound_by(cells_in({12, 8})) == "not determined: two thread counts do not tell");
  std::vector<CellResult> emulated;
  for (const CellResult& cell : cells_in({4, 2.5})) emulated.push_back(emulated_cell(cell));
  CHECK(bound_by(emulated) == "not determined: the device is emulated");
}

TEST_CASE("a query that only some media complete is divided") {
  CellResult completes = sample_cell(1, "nvme", 5);
  completes.setting.limit_mib = 2;
  const SamplePivot pivot({sample_cell(1, "dram", 5), sample_cell(1, "nvme", 5), completes,
                           stopped_cell(sample_cell(1, "dram", 5), 2)});
  const auto needs = workspace_needs(pivot);
  REQUIRE(needs.size() == 1);
  CHECK(needs.front().greatest().bytes == 3 << 20);
  const auto outcomes = limit_outcomes(pivot, needs.front());
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes.front().divided.size() == 1);
}

TEST_CASE("a point is the bytes of a cell and their rate, with the reason for no ceiling") {
  const SamplePivot pivot({sample_cell(1, "dram", 1)});
  const auto points = roofline_points(pivot);
  REQUIRE(points.size() == 1);
  CHECK(points.front().gb_s == Approx(8));
  REQUIRE_FALSE(points.front().ceiling.ok());
  CHECK(points.front().ceiling.error().message == "its thread count was not measured");
  CHECK(roofline_ceilings(pivot).empty());
}

}  // namespace
}  // namespace hdbench::bench
