#include "bench/machine/available_memory.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("the lowest is the least of all looks, and none without one") {
  LowestMemory lowest;
  CHECK_FALSE(lowest.bytes());
  lowest.take(std::nullopt);
  CHECK_FALSE(lowest.bytes());
  lowest.take(5);
  lowest.take(7);
  lowest.take(std::nullopt);
  CHECK(lowest.bytes() == 5);
  lowest.take(3);
  CHECK(lowest.bytes() == 3);
}

}  // namespace
}  // namespace hdbench::bench
