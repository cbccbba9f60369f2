#include "bench/ranks/network_probe.h"

#include <algorithm>

#include "bench/testing/thread_job.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a network's figures are of each other rank, and end") {
  NetworkFigures network;
  run_job({"a", "b", "c"}, [&](RankJob& job) {
    if (job.rank() == 0) network = measure_network(job);
    if (job.rank() != 0) serve_network(job);
  });
  REQUIRE(network.by_rank.size() == 3);
  CHECK(network.by_rank[0].points.empty());
  for (std::size_t rank : {1, 2}) {
    const LinkFigures& link = network.by_rank[rank];
    REQUIRE(link.points.size() == 5);
    CHECK(std::ranges::is_sorted(link.points, {}, &LinkPoint::bytes));
    CHECK(link.points.front().ms > 0);
    // Threads have one clock.
    CHECK(std::abs(link.clock_offset_ms) <= link.clock_error_ms);
  }
  CHECK(network.all_gb_s > 0);
}

}  // namespace
}  // namespace hdbench::bench
