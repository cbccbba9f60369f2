#include "bench/report/views/verdict.h"

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
  marks.add(kCrowdedMark);
  marks.add(kEmulatedMark);
  CHECK(marks.legend().ends_with("(in no mean), * emulated, -s 8>2: 8 threads on 2 CPUs"));
}

}  // namespace
}  // namespace hdbench::bench
