#include "pmem/emulator/recent_ranges.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("without a cache nothing is held") {
  RecentRanges recent;
  recent.note(0, 100, 100, true);
  CHECK_FALSE(recent.holds(0, 100));
}

TEST_CASE("a whole range is held until the cache has seen that much more traffic") {
  RecentRanges recent;
  recent.reset(1000);
  recent.note(5000, 5400, 400, true);
  CHECK(recent.holds(5000, 5400));
  CHECK(recent.holds(5100, 5200));
  CHECK_FALSE(recent.holds(5300, 5401));
  recent.note(9000, 9900, 900, false);
  CHECK(recent.holds(5000, 5400));
  CHECK_FALSE(recent.holds(9000, 9900));
  recent.note(9000, 9200, 200, true);
  CHECK_FALSE(recent.holds(5000, 5400));
}

TEST_CASE("a range greater than the cache is never held") {
  RecentRanges recent;
  recent.reset(1000);
  recent.note(0, 2000, 2000, true);
  CHECK_FALSE(recent.holds(0, 64));
}

}  // namespace
}  // namespace hdbench::pmem
