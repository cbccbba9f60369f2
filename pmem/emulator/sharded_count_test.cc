#include "pmem/emulator/sharded_count.h"

#include <thread>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("a sharded count is zero at first") { CHECK(ShardedCount().sum() == 0); }

TEST_CASE("a sharded count loses nothing with more threads than shards") {
  ShardedCount count;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 40; ++t) {
    threads.emplace_back([&count] {
      for (int i = 0; i < 1000; ++i) count.add(3);
    });
  }
  threads.clear();  // joins
  CHECK(count.sum() == 120000);
}

TEST_CASE("a sharded count begins again after reset") {
  ShardedCount count;
  count.add(7);
  count.reset();
  CHECK(count.sum() == 0);
  count.add(2);
  CHECK(count.sum() == 2);
}

}  // namespace
}  // namespace hdbench::pmem
