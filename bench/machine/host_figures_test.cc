// What the emulator is told of the host, on buffers so small that the test is short.
#include "bench/machine/host_figures.h"

#include <algorithm>
#include <iterator>

#include "engine/base/catch.h"

using namespace hdbench;
using namespace hdbench::bench;

TEST_CASE("a host is calibrated on one thread and on all, with no figure missing") {
  OnePool pools;
  const auto host = calibrate_host(pools, std::size_t{4} << 20);
  REQUIRE(host.ok());
  const std::size_t counts = pools.all_threads() > 1 ? 2 : 1;
  for (const BandwidthCurve* curve : {&host->read, &host->write, &host->copy}) {
    REQUIRE(curve->points.size() == counts);
    CHECK(curve->points.front().threads == 1);
    CHECK(curve->points.back().threads == static_cast<double>(pools.all_threads()));
    for (const BandwidthPoint& point : curve->points) CHECK(point.gb_s > 0);
  }
  CHECK(host->chase_ns > 0);
}

TEST_CASE("what was calibrated says in which figures a device is faster than the host") {
  OnePool pools;
  const auto host = calibrate_host(pools, std::size_t{4} << 20);
  REQUIRE(host.ok());
  DeviceProfile device;
  device.curves[0][0].points = {{1, 1e6}};
  device.latency.read_random_ns = 1e-3;
  const auto limits = host_limits(device, *host, 1);
  REQUIRE(limits.size() == 3);
  CHECK(limits[0].starts_with("read 1e+06 GB/s at 1 threads, but this host has "));
  CHECK(limits[2].starts_with("read latency 0.001 ns, but this host takes "));
  device.curves[0][0].points = {{1, 1e-6}};
  device.latency.read_random_ns = 1e9;
  CHECK(host_limits(device, *host, 1).empty());
}

TEST_CASE("one of the strategies is chosen, and the plainest stays in use") {
  const CpuTuning& chosen = fastest_cpu_tuning(0);
  CHECK(std::any_of(std::begin(kCpuTunings), std::end(kCpuTunings),
                    [&](const CpuTuning& one) { return &one == &chosen; }));
  CHECK(&cpu_tuning() == &kCpuTunings[0]);
}
