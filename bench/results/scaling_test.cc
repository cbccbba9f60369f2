#include "bench/results/scaling.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult cell_on(std::size_t threads, double ms) {
  CellResult cell;
  cell.setting.threads = threads;
  cell.real_ms = {ms};
  cell.rows_out = 1;
  return cell;
}

MemoryCeilings reads_of(const std::vector<double>& gb_s) {
  MemoryCeilings memory;
  for (const double read : gb_s) {
    ThreadCeilings one;
    one.threads = memory.by_threads.size() + 1;
    one.read_gb_s.median = read;
    memory.by_threads.push_back(one);
  }
  return memory;
}

TEST_CASE("without cells there is no thread count, without ceilings no saturation") {
  CHECK(thread_counts({}).empty());
  CHECK_FALSE(saturation_of({}));
}

TEST_CASE("thread counts rise and come once") {
  CHECK(thread_counts({cell_on(8, 1), cell_on(2, 1), cell_on(8, 1)}) ==
        std::vector<std::size_t>{2, 8});
}

TEST_CASE("efficiency is the speed-up over the growth in threads") {
  const auto scaling = scaling_of(cell_on(2, 90), cell_on(8, 30));
  REQUIRE(scaling);
  CHECK(scaling->speedup == Approx(3));
  CHECK(scaling->efficiency_percent == Approx(75));
}

TEST_CASE("a cell that was stopped does not scale") {
  CellResult stopped = cell_on(2, 10);
  stopped.rows_out.reset();
  CHECK_FALSE(scaling_of(cell_on(1, 10), stopped));
  CHECK_FALSE(scaling_of(stopped, cell_on(4, 10)));
}

TEST_CASE("memory saturates at the fewest threads within 5 % of the best") {
  const auto saturation = saturation_of(reads_of({20, 38, 57.5, 60, 59}));
  REQUIRE(saturation);
  CHECK(saturation->threads == 3);
  CHECK(saturation->gb_s == 57.5);
  CHECK_FALSE(saturation->is_widest);
}

TEST_CASE("where the widest is needed memory may have more to give") {
  CHECK(saturation_of(reads_of({17, 34}))->is_widest);
  CHECK(saturation_of(reads_of({17}))->is_widest);
}

}  // namespace
}  // namespace hdbench
