#include "pmem/emulator/host_calibration.h"

#include <memory>
#include <utility>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

constexpr auto kRead = AccessKind::kRead;
constexpr auto kSequential = AccessPattern::kSequential;
constexpr auto kRandom = AccessPattern::kRandom;

DeviceProfile simple(double gb_s, double ns) {
  DeviceProfile profile;
  profile.curves[0][0].points = {{1, gb_s}};
  profile.latency.read_random_ns = ns;
  return profile;
}

TEST_CASE("a host that was not measured is no limit") {
  CHECK(host_limits(simple(1000, 1), {}, 1).empty());
  CHECK(host_access_ns({}, kRead, kRandom) == 0);
}

TEST_CASE("each figure in which the device is faster is told") {
  HostCalibration host;
  host.read.points = {{1, 12}, {2, 20}};
  host.chase_ns = 170;
  CHECK(host_limits(simple(2.9, 305), host, 2).empty());
  const auto limits = host_limits(simple(39, 101.5), host, 2);
  REQUIRE(limits.size() == 2);
  CHECK(limits[0] == "read 39 GB/s at 2 threads, but this host has 20 GB/s");
  CHECK(limits[1] == "read latency 101.5 ns, but this host takes 170 ns");
}

TEST_CASE("by ratio a device is as far from the host as from its reference") {
  HostCalibration host;
  host.read.points = {{1, 10}, {2, 16}};
  host.chase_ns = 170;
  DeviceProfile device = simple(0, 300);
  device.curves[0][0].points = {{1, 3}, {2, 6}};
  device.curves[0][0].one_thread_gb_s = 3;
  DeviceProfile reference = simple(0, 100);
  reference.curves[0][0].points = {{1, 6}, {2, 12}};
  const DeviceProfile scaled = scaled_to_host(device, reference, host);
  CHECK(scaled.curve(kRead, kSequential).at(1) == Approx(5));
  CHECK(scaled.curve(kRead, kSequential).at(2) == Approx(8));
  CHECK(scaled.curve(kRead, kSequential).one_thread_gb_s == Approx(5));
  CHECK(scaled.access_ns(kRead, kRandom) == Approx(510));
}

TEST_CASE("by ratio one thread of a socket's one figure draws what it keeps in flight") {
  HostCalibration host;
  host.read.points = {{1, 10}, {2, 16}, {64, 200}};
  DeviceProfile device = simple(17.7, 214);
  DeviceProfile reference = simple(241, 115);
  device.mlp = reference.mlp = 8.5;
  const DeviceProfile scaled = scaled_to_host(device, reference, host);
  CHECK(scaled.curve(kRead, kSequential).at(1) == Approx(10 * 115.0 / 214));
  CHECK(scaled.curve(kRead, kSequential).at(2) == Approx(16 * 115.0 / 214));
  CHECK(scaled.curve(kRead, kSequential).at(64) == Approx(200 * 17.7 / 241));
}

TEST_CASE("by ratio a figure that says nothing of one thread is held against the whole reference") {
  HostCalibration host;
  host.read.points = {{1, 10}, {2, 16}};
  DeviceProfile reference = simple(241, 115);
  reference.mlp = 8.5;
  const DeviceProfile flash = scaled_to_host(simple(5, 0), reference, host);
  CHECK(flash.curve(kRead, kSequential).at(1) == Approx(10 * 5.0 / 241));
}

TEST_CASE("by ratio a device that one thread can saturate is as fast as one that it just cannot") {
  HostCalibration host;
  host.read.points = {{1, 10}};
  DeviceProfile reference = simple(241, 115);
  reference.mlp = 8.5;
  const auto at_one = [&](double gb_s) {
    DeviceProfile device = simple(gb_s, 476);  // 1.143 GB/s of one thread
    device.mlp = 8.5;
    return scaled_to_host(device, reference, host).curve(kRead, kSequential).at(1);
  };
  CHECK(at_one(1.15) == Approx(10 * 115.0 / 476));
  CHECK(at_one(1.13) == Approx(at_one(1.15)).epsilon(0.02));
}

TEST_CASE("by ratio a thread's accesses in flight are of the device's own granularity") {
  HostCalibration host;
  host.read.points = {{1, 10}};
  DeviceProfile device = simple(40, 305);
  device.granularity_bytes = 256;
  DeviceProfile reference = simple(100, 100);
  device.mlp = reference.mlp = 8.5;
  const DeviceProfile scaled = scaled_to_host(device, reference, host);
  CHECK(scaled.curve(kRead, kRandom).at(1) == Approx(10 * (256 / 305.0) / (64 / 100.0)));
}

TEST_CASE("by ratio both tiers of a near cache are scaled") {
  HostCalibration host;
  host.chase_ns = 170;
  DeviceProfile device;
  auto cache = std::make_shared<NearCacheProfile>();
  cache->near = simple(100, 100);
  cache->far = simple(10, 300);
  device.near_cache = std::move(cache);
  const DeviceProfile scaled = scaled_to_host(device, simple(100, 100), host);
  REQUIRE(scaled.near_cache);
  CHECK(scaled.near_cache->near.access_ns(kRead, kRandom) == Approx(170));
  CHECK(scaled.near_cache->far.access_ns(kRead, kRandom) == Approx(510));
}

TEST_CASE("a device held against itself is the host") {
  HostCalibration host;
  host.read.points = {{1, 10}};
  host.chase_ns = 170;
  const DeviceProfile reference = simple(7.4, 101.5);
  const DeviceProfile scaled = scaled_to_host(reference, reference, host);
  CHECK(scaled.curve(kRead, kSequential).at(4) == Approx(10));
  CHECK(scaled.access_ns(kRead, kRandom) == Approx(170));
}

}  // namespace
}  // namespace hdbench::pmem
