#include "pmem/emulator/virtual_clock.h"

#include <thread>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::pmem {
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

TEST_CASE("a bucket refilled in steps gives nothing until the next step, and then all of it") {
  // 100 credits at once every 100 ns, the first when the full bucket is first drawn on.
  VirtualClock bucket(100);
  bucket.set_step(100);
  bucket.reset(-100);
  // Steps are counted from the first draw, whenever the bucket was made full.
  CHECK(bucket.book(1000, 100) <= 1000);
  CHECK(bucket.book(1000, 1) == 1100);
  CHECK(bucket.book(1050, 99) == 1100);
  CHECK(bucket.book(1100, 250) == 1400);
  CHECK(bucket.free_ns() == 1400);
  // What is left of the last step lasts until it is over; a full bucket begins steps anew.
  CHECK(bucket.book(1499, 50) <= 1499);
  CHECK(bucket.book(1499, 1) == 1500);
  CHECK(bucket.book(1570, 99) <= 1570);
  CHECK(bucket.book(1570, 1) == 1600);
  CHECK(bucket.book(1830, 100) <= 1830);
  CHECK(bucket.book(1830, 1) == 1930);
}

TEST_CASE("nothing that many threads book on a clock with steps is lost") {
  VirtualClock clock(50);
  clock.set_step(50);
  clock.reset(-50);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&clock] {
      for (int i = 0; i < 10000; ++i) clock.book(0, 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(clock.free_ns() == 4 * 10000 * 3 - 50);
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
}  // namespace hdbench::pmem
