#include "bench/report/views/verdict.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

VerdictCell cell_with(double low, double high) {
  VerdictCell cell;
  cell.gain = Ratio{(low + high) / 2, Interval{low, high}};
  return cell;
}

TEST_CASE("a table without a mark has no legend") {
  TableMarks marks;
  CHECK(marks.legend().empty());
  CHECK(marks.of({}) == ' ');
  CHECK(marks.of(cell_with(2, 3)) == ' ');
  VerdictCell single;
  single.gain = Ratio{1.0, {}};
  CHECK(marks.of(single) == ' ');
  CHECK(marks.legend().empty());
}

TEST_CASE("the gravest mark is shown") {
  TableMarks marks;
  VerdictCell cell = cell_with(0.95, 1.05);
  CHECK(marks.of(cell) == kSameMark);
  CHECK(marks.of(cell_with(0.5, 1.5)) == kUnsaidMark);
  cell.is_cached = true;
  CHECK(marks.of(cell) == kCachedMark);
  cell.is_above_ceiling = true;
  CHECK(marks.of(cell) == kAboveMark);
}

TEST_CASE("a legend explains the marks that the table has, and no others") {
  TableMarks marks;
  VerdictCell cell;
  cell.is_cached = true;
  marks.of(cell);
  CHECK(marks.legend() == "c moves less than 4 times the last-level caches (in no mean)");
  marks.add(kEmulatedMark);
  CHECK(marks.legend().ends_with("(in no mean), * emulated"));
}

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

TEST_CASE("a pair is left out where either cell is cached; a cold cell never is") {
  const SamplePivot pivot(sample_run_with_caches(
      {sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10), large(sample_cell(2, "nvme", 100)),
       large(sample_cell(2, "dram", 10))},
      kSampleBytes));
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

TEST_CASE("a gain is reported with its interval, or that there is none that could be shown") {
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
