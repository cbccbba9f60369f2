#include "bench/report/views/pair_mean.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// Of the cells in the first column over those in the second, query after query.
PairMean mean_over(const ReportPivot& pivot) {
  PairMean mean;
  for (const std::size_t query : pivot.queries()) {
    mean.add(pivot, query, pivot.cell(pivot.primary(), 0, query),
             pivot.cell(pivot.primary(), 1, query));
  }
  return mean;
}

CellResult large(CellResult cell) {
  cell.bytes_read = 100 * kSampleBytes;
  return cell;
}

TEST_CASE("no pair has no mean, and none is left out") {
  const ReportInput input = sample_input({sample_cell(1, "dram", 10)});
  const ReportPivot pivot(input);
  PairMean mean;
  mean.add(pivot, 0, nullptr, pivot.cell(pivot.primary(), 0, 0));
  CHECK_FALSE(mean.ratio());
  CHECK(mean.pairs() == 0);
  CHECK(mean.left_out_text().empty());
}

TEST_CASE("a mean is geometric and its interval holds it") {
  PairMean mean;
  mean.queries = {{0, {2, Interval{1, 4}}}, {1, {8, Interval{4, 16}}}};
  const auto ratio = mean.ratio();
  REQUIRE(ratio);
  CHECK(ratio->value == Approx(4));
  CHECK(ratio->interval->low == Approx(2));
  CHECK(ratio->interval->high == Approx(8));
}

TEST_CASE("a pair is left out where either cell is cached; a cold cell never is") {
  const ReportInput input = sample_input(sample_run_with_caches(
      {sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10), large(sample_cell(2, "nvme", 100)),
       large(sample_cell(2, "dram", 10))},
      kSampleBytes));
  const ReportPivot pivot(input);
  CHECK_FALSE(pivot.is_cached(*pivot.cell(pivot.primary(), 0, 0)));
  CHECK(pivot.is_cached(*pivot.cell(pivot.primary(), 1, 0)));
  const PairMean mean = mean_over(pivot);
  CHECK(mean.queries.size() == 1);
  CHECK(mean.cached == 1);
  CHECK(mean.left_out_text() == "1 cached");
  CHECK(cached_text(pivot) == "less than 4 times the last-level caches (1 MiB)");
}

TEST_CASE("impossible figures and single repetitions are left out, each counted by itself") {
  CellResult once = sample_cell(2, "numa:1", 100);
  once.real_ms = {100};
  const ReportInput input = sample_input(sample_run_with_ceiling(
      {sample_cell(1, "numa:1", 100), sample_cell(1, "dram", 1), once, sample_cell(2, "dram", 10),
       sample_cell(3, "numa:1", 100), sample_cell(3, "dram", 10)}));
  const PairMean mean = mean_over(ReportPivot(input));
  CHECK(mean.queries.size() == 1);
  CHECK(mean.left_out_text() == "1 above a ceiling, 1 without an interval");
  CHECK(mean.pairs() == 3);
}

TEST_CASE("a gain is told with its interval, or that there is none that could be shown") {
  PairMean mean;
  mean.queries = {{0, {2, Interval{1.8, 2.2}}}};
  CHECK(faster_text("x", mean, " as y") == "x 2.00x as fast as y (1.80 to 2.20)");
  mean.queries = {{0, {1.1, Interval{0.9, 1.3}}}};
  CHECK(faster_text("x", mean) == "x: no difference could be shown (0.90 to 1.30)");
  mean.queries.clear();
  mean.cached = 3;
  CHECK(faster_text("x", mean) == "x: cannot be judged (left out: 3 cached)");
}

}  // namespace
}  // namespace hdbench::bench
