#include "pmem/emulator/virtual_clock.h"

#include <thread>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("a free clock books from now, a busy one from when it is free") {
  VirtualClock clock;
  CHECK(clock.book(1000, 0) == 1000);
  CHECK(clock.book(1000, 300) == 1300);
  CHECK(clock.book(1100, 50) == 1350);
  CHECK(clock.book(5000, 10) == 5010);
  CHECK(clock.free_ns() == 5010);
}

TEST_CASE("a burst lets idle time before now be used, but no more than it") {
  VirtualClock clock(200);
  clock.reset(1000);
  CHECK(clock.book(1100, 50) == 1050);
  CHECK(clock.book(2000, 100) == 1900);
}

TEST_CASE("a clock with the bucket's filling time as its burst is a bucket of credits") {
  // 100 credits, refilled at one a nanosecond: the first 100 are free, then each takes 1 ns.
  VirtualClock bucket(100);
  bucket.reset(-100);
  CHECK(bucket.book(0, 100) == 0);
  CHECK(bucket.book(0, 50) == 50);
  CHECK(bucket.book(1000, 100) == 1000);
}

TEST_CASE("nothing that many threads book is lost") {
  VirtualClock clock;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&clock] {
      for (int i = 0; i < 10000; ++i) clock.book(0, 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(clock.free_ns() == 4 * 10000 * 3);
}

}  // namespace
}  // namespace hdbench
