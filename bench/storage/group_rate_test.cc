#include "bench/storage/group_rate.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

ProcessFigures told(std::uint64_t begin_ms, std::uint64_t end_ms, std::uint64_t bytes) {
  ProcessFigures one;
  one.begin_ns = begin_ms * 1'000'000;
  one.end_ns = end_ms * 1'000'000;
  one.bytes = bytes;
  one.operations = 10;
  return one;
}

TEST_CASE("one process has a rate and no spread") {
  const std::vector<ProcessFigures> one = {told(0, 1000, 5'000'000)};
  CHECK(mb_per_s(one) == Approx(5));
  CHECK(ms_per_operation(one) == Approx(100));
  CHECK(spread_of(one) == 0);
}

TEST_CASE("the slowest process's end is everybody's") {
  // 10 MB in 1 s and in 4: their own rates add up to 12.5 MB/s, which nobody saw.
  const std::vector<ProcessFigures> two = {told(0, 1000, 10'000'000), told(0, 4000, 10'000'000)};
  CHECK(mb_per_s(two) == Approx(5));
  CHECK(spread_of(two) == Approx(7.5 / 6.25));
}

TEST_CASE("a late start counts") {
  const std::vector<ProcessFigures> two = {told(0, 1000, 1'000'000), told(1000, 2000, 1'000'000)};
  CHECK(wall_seconds(two) == Approx(2));
  CHECK(mb_per_s(two) == Approx(1));
}

TEST_CASE("the time of an operation is the mean of all processes'") {
  const std::vector<ProcessFigures> two = {told(0, 1000, 0), told(0, 3000, 0)};
  CHECK(ms_per_operation(two) == Approx(200));
}

}  // namespace
}  // namespace hdbench
