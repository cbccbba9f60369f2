#include "bench/machine/load_probe.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// Timings are not asserted, but what a correct measurement has at least.
constexpr std::size_t kBytes = std::size_t{8} << 20;

TEST_CASE("a chase at rest has its own load alone") {
  ThreadPool pool(1);
  LoadProbe probe(kBytes);
  CHECK(probe.buffers().empty());
  const auto rest = probe.latency(pool, 0.0);
  REQUIRE(rest.ok());
  CHECK(rest->ns > 0);
  CHECK(rest->gb_s == Approx(64 / rest->ns));
  CHECK(probe.buffers().size() == 2);
}

TEST_CASE("generators are held to their rate, and every mix moves something") {
  ThreadPool pool(2);
  LoadProbe probe(kBytes);
  const auto slow = probe.latency(pool, 0.05);
  REQUIRE(slow.ok());
  // A unit more than its time gives, as it is read before it is waited for.
  CHECK(slow->gb_s < 0.05 * 1.1 + 64 / slow->ns);
  REQUIRE(probe.latency(pool, std::nullopt).ok());
  for (const TrafficMix mix : {TrafficMix{1, 0}, {3, 1}, {2, 1}, {1, 1}, {0, 1}}) {
    const auto gb_s = probe.bandwidth(pool, mix);
    REQUIRE(gb_s.ok());
    CHECK(*gb_s > 0);
  }
  CHECK(TrafficMix{3, 1}.read_share() == 0.75);
  for (const double gb_s : {0.0, 0.05}) {
    const auto left = probe.bandwidth_beside(pool, gb_s);
    REQUIRE(left.ok());
    CHECK(*left > 0);
  }
}

TEST_CASE("what one memory takes from another is a share") {
  ThreadPool pool(2);
  LoadProbe near(kBytes);
  LoadProbe far(kBytes);
  const auto taken = far.taken_from(near, pool);
  REQUIRE(taken.ok());
  CHECK(*taken >= 0);
  CHECK(*taken < 1);
}

TEST_CASE("memory that is not there is told") {
  ThreadPool pool(1);
  LoadProbe probe(kBytes, [](std::size_t) -> Result<Region> { return data_error("no memory"); });
  const auto rest = probe.latency(pool, 0.0);
  REQUIRE_FALSE(rest.ok());
  CHECK(rest.error().message == "no memory");
}

TEST_CASE("latencies that fall with the load become their mean, and the rest stays") {
  const auto curve = rising_latencies({{3, 120}, {1, 100}, {2, 130}, {4, 90}, {5, 200}});
  REQUIRE(curve.size() == 5);
  CHECK(curve[0].ns == 100);
  for (const std::size_t k : {1, 2, 3}) CHECK(curve[k].ns == Approx((130 + 120 + 90) / 3.0));
  CHECK(curve[4].ns == 200);
  CHECK(curve[1].gb_s == 2);
  CHECK(rising_latencies({}).empty());
}

}  // namespace
}  // namespace hdbench::bench
