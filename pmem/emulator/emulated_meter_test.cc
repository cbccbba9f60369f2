#include "pmem/emulator/emulated_meter.h"

#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/testing/test_meter.h"

namespace hdbench::pmem {
namespace {

constexpr std::int64_t kHourNs = std::int64_t{3600} * 1'000'000'000;

TEST_CASE("a wait ends no earlier than its deadline") {
  SteadyEmulationClock clock;
  for (const WaitFor what : {WaitFor::kMemory, WaitFor::kDisk}) {
    const std::int64_t deadline_ns = clock.now_ns() + 2'000'000;
    clock.wait_until(deadline_ns, what, nullptr);
    CHECK(clock.now_ns() >= deadline_ns);
  }
}

TEST_CASE("a wait ends when it is stopped") {
  SteadyEmulationClock clock;
  const std::atomic<bool> stop{true};
  const std::int64_t begin_ns = clock.now_ns();
  clock.wait_until(begin_ns + kHourNs, WaitFor::kMemory, &stop);
  CHECK(clock.now_ns() < begin_ns + kHourNs);
}

using namespace testing;

struct Emulation {
  Emulation(EmulationMode mode, const DeviceProfile& profile, HostCalibration host = {})
      : meter(meter_of(mode, clock, {{profile, 0, {}}}, std::move(host))) {
    meter->add_region(at(0), std::size_t{1} << 40, 0);
  }

  // Morsels of one worker, each with so much work of the CPU's own.
  EmulationResult scan(std::uint64_t morsels, std::int64_t cpu_ns) {
    meter->begin(1);
    for (std::uint64_t m = 0; m < morsels; ++m) {
      clock.work(cpu_ns);
      meter->access(scan_of(m * kMorselBytes, kMorselBytes));
    }
    return meter->settle();
  }

  HandClock clock;
  std::unique_ptr<EmulatedMeter> meter;
};

TEST_CASE("a query that accesses nothing takes no time and charges nothing") {
  for (const auto mode : {EmulationMode::kWall, EmulationMode::kModel}) {
    Emulation emulation(mode, flat(1, 100));
    emulation.meter->begin(4);
    const EmulationResult result = emulation.meter->settle();
    CHECK(result.elapsed_ns == 0);
    CHECK(result.modelled_ns == 0);
    REQUIRE(result.devices.size() == 2);
    CHECK(result.devices[1].device == "host");
    CHECK(result.devices[0].read_bytes == 0);
  }
}

TEST_CASE("charges sum to the bytes accessed, in regions and outside them") {
  for (const auto mode : {EmulationMode::kWall, EmulationMode::kModel}) {
    HandClock clock;
    auto meter = meter_of(mode, clock, {{flat(10, 100), 0, {}}, {flat(1, 300, 256), 0, {}}});
    meter->add_region(at(0), 1 << 20, 0);
    meter->add_region(at(1 << 20), 1 << 20, 1);
    meter->begin(1);
    std::mt19937_64 random(9);
    std::uint64_t read = 0, written = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t bytes = random() % 4096 * 8;
      const auto kind = random() % 2 == 0 ? AccessKind::kRead : AccessKind::kWrite;
      meter->access(scan_of(random() % (3 << 20) / 8 * 8, bytes, kind));
      (kind == AccessKind::kRead ? read : written) += bytes;
    }
    for (const DeviceCharges& charges : meter->settle().devices) {
      CHECK(charges.read_bytes > 0);
      read -= charges.read_bytes;
      written -= charges.written_bytes;
    }
    CHECK(read == 0);
    CHECK(written == 0);
  }
}

TEST_CASE("a removed region is the host's again") {
  Emulation emulation(EmulationMode::kModel, flat(1, 0));
  emulation.meter->remove_region(at(0));
  const EmulationResult result = emulation.scan(1, 0);
  CHECK(result.devices[0].read_bytes == 0);
  CHECK(result.devices[1].read_bytes == kMorselBytes);
}

// What another process of two does at the same time, to its end.
void as_process(Emulation& emulation, std::uint64_t morsels) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    emulation.meter->be_process(1);
    emulation.scan(morsels, 0);
    ::_exit(0);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
}

TEST_CASE("processes share a device: what one has booked another waits for") {
  constexpr double kMorselNs = static_cast<double>(kMorselBytes);  // at 1 GB/s
  Emulation emulation(EmulationMode::kWall, flat(1, 0));
  emulation.scan(1, 0);
  emulation.meter->share_between(2);
  as_process(emulation, 1000);
  const std::int64_t shared_ns = emulation.scan(1000, 0).elapsed_ns;
  CHECK(static_cast<double>(shared_ns) == Approx(2000 * kMorselNs).epsilon(0.02));
  emulation.meter->share_between(0);
  const std::int64_t alone_ns = emulation.scan(1000, 0).elapsed_ns;
  CHECK(static_cast<double>(alone_ns) == Approx(1000 * kMorselNs).epsilon(0.02));
}

TEST_CASE("a process that was killed in a query counts no more") {
  Emulation emulation(EmulationMode::kWall, flat(1, 0));
  emulation.meter->share_between(2);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    emulation.meter->be_process(1);
    emulation.meter->begin(8);
    ::_exit(0);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  emulation.meter->begin(2);
  CHECK(emulation.meter->threads_of_all() == 10);
  emulation.meter->settle();
  emulation.meter->forget_process(1);
  emulation.meter->begin(2);
  CHECK(emulation.meter->threads_of_all() == 2);
  emulation.meter->settle();
}

TEST_CASE("wall: elapsed is bytes / bandwidth within 2 % where the device is slower than the CPU") {
  for (const double gb_s : {0.5, 1.0, 2.9, 6.5, 12.5, 39.4}) {
    Emulation emulation(EmulationMode::kWall, flat(gb_s, 0));
    const EmulationResult result = emulation.scan(2000, 10000);
    CAPTURE(gb_s);
    const double expected = 2000.0 * static_cast<double>(kMorselBytes) / gb_s;
    CHECK(static_cast<double>(result.elapsed_ns) == Approx(std::max(expected, 2e7)).epsilon(0.02));
    CHECK(result.modelled_ns == result.elapsed_ns);
    CHECK(result.waited_ns > 0);
  }
}

TEST_CASE("wall: a device faster than the CPU costs nothing") {
  Emulation emulation(EmulationMode::kWall, flat(100, 0));
  const EmulationResult result = emulation.scan(1000, 10000);
  CHECK(static_cast<double>(result.elapsed_ns) == Approx(1000 * 10000).epsilon(0.001));
}

// Elapsed nanoseconds an access, of a chase whose host takes so long for a load and other work.
double chase_ns(double calibrated_ns, std::int64_t load_ns, std::int64_t other_ns = 0,
                std::int64_t late_ns = 0) {
  HostCalibration host;
  host.chase_ns = calibrated_ns;
  Emulation emulation(EmulationMode::kWall, flat(40, 305), host);
  emulation.clock.late_ns = late_ns;
  emulation.meter->begin(1);
  constexpr std::uint64_t kAccesses = 1000000;
  for (std::uint64_t i = 0; i < kAccesses; i += 100) {
    emulation.clock.work(100 * (load_ns + other_ns));
    Access access = scan_of(i * 64, 6400);
    access.dependent_accesses = 100;
    emulation.meter->access(access);
  }
  return static_cast<double>(emulation.meter->settle().elapsed_ns) / kAccesses;
}

TEST_CASE("wall: waits that end too late do not add up") {
  Emulation emulation(EmulationMode::kWall, flat(2.9, 0));
  emulation.clock.late_ns = 700000;
  const double expected = 2000.0 * static_cast<double>(kMorselBytes) / 2.9;
  CHECK(static_cast<double>(emulation.scan(2000, 10000).elapsed_ns) ==
        Approx(expected).epsilon(0.02));
  CHECK(chase_ns(100, 100, 0, 150000) == Approx(305).epsilon(0.03));
}

TEST_CASE("wall: one thread draws no more than its cap") {
  DeviceProfile profile = flat(39, 0);
  profile.curves[0][0].one_thread_gb_s = 2.9;
  Emulation emulation(EmulationMode::kWall, profile);
  const double expected = 500.0 * static_cast<double>(kMorselBytes) / 2.9;
  CHECK(static_cast<double>(emulation.scan(500, 1000).elapsed_ns) ==
        Approx(expected).epsilon(0.02));
}

TEST_CASE("wall: a dependent chase takes N x L within 3 %, whatever the host takes of it") {
  for (const int host_ns : {0, 100, 200})
    CHECK(chase_ns(host_ns, host_ns) == Approx(305).epsilon(0.03));
  // The host's loads are not the calibrated ones.
  CHECK(chase_ns(200, 280, 0) == Approx(305).epsilon(0.03));
  CHECK(chase_ns(200, 150, 0) == Approx(305).epsilon(0.03));
  CHECK(chase_ns(200, 20, 0) == Approx(305).epsilon(0.03));
  // A host slower than the device: its own time.
  CHECK(chase_ns(400, 400, 0) == Approx(400).epsilon(0.03));
}

TEST_CASE(
    "wall: other work between dependent loads is not taken for loads, but for as many again") {
  CHECK(chase_ns(100, 100, 1000) >= 1100 + 305 - 200);
  CHECK(chase_ns(100, 100, 1000) <= 1100 + 305 - 100);
}

TEST_CASE("a disk whose bucket comes in steps: a burst at once, then as many steps as it takes") {
  DeviceProfile disk = flat(1.7, 0, 4096);
  disk.credits =
      CreditBucket{CreditBucket::Unit::kBytes, 17e6, 170e6, 1.7e9, CreditBucket::Refill::kSteps};
  constexpr double kMs = 1e6;
  struct Steps {
    std::uint64_t morsels;  // of 524,288 bytes: 32.4 a step
    double expected_ms;
  };
  for (const Steps& one :
       {Steps{8, 8 * 0.3084}, Steps{32, 32 * 0.3084}, Steps{33, 100}, Steps{64, 109.9},
        Steps{65, 200}, Steps{177, 504.6}, Steps{470, 1405.2}}) {
    for (const auto mode : {EmulationMode::kModel, EmulationMode::kWall}) {
      CAPTURE(one.morsels, one.expected_ms);
      Emulation emulation(mode, disk);
      const EmulationResult result = emulation.scan(one.morsels, 0);
      CHECK(static_cast<double>(result.modelled_ns) / kMs == Approx(one.expected_ms).epsilon(0.02));
    }
  }
}

// One element of every `stride` ones is selected.
std::vector<std::uint64_t> every(std::size_t stride, std::size_t run, std::size_t elements) {
  std::vector<std::uint64_t> bits(elements / 64, 0);
  for (std::size_t i = 0; i < elements; ++i) {
    if (i % stride < run) bits[i / 64] |= std::uint64_t{1} << i % 64;
  }
  return bits;
}

TEST_CASE("independent random takes the larger of N x g / BW and N x L / MLP") {
  const auto bits = every(256, 1, 65536);  // 256 lines of a morsel of 65,536 longs
  for (const double gb_s : {0.5, 2.0, 40.0}) {
    Emulation model(EmulationMode::kModel, flat(gb_s, 305, 256));
    Emulation wall(EmulationMode::kWall, flat(gb_s, 305, 256));
    const double expected = std::max(1000 * 256 * 256 / gb_s, 1000 * 256 * 305 / 8.5);
    for (Emulation* emulation : {&model, &wall}) {
      emulation->meter->begin(1);
      for (std::uint64_t m = 0; m < 1000; ++m) {
        emulation->meter->access(
            {at(m * kMorselBytes), 65536, 8, bits.data(), 256 * 64, AccessKind::kRead, 0});
      }
      const EmulationResult result = emulation->meter->settle();
      CHECK(static_cast<double>(result.modelled_ns) == Approx(expected).epsilon(0.01));
    }
  }
}

TEST_CASE("64 bytes at random on 256-byte media give a quarter of what 256 bytes give") {
  DeviceProfile profile = named("optane-100-6dimm");
  double gb_s[2];
  for (const bool quarter : {true, false}) {
    Emulation emulation(EmulationMode::kModel, profile);
    const std::size_t run = quarter ? 8 : 32;
    const auto bits = every(128, run, 65536);
    const std::uint64_t bytes = 512 * run * 8;
    emulation.meter->begin(16);
    for (std::uint64_t m = 0; m < 100; ++m) {
      emulation.meter->access(
          {at(m * kMorselBytes), 65536, 8, bits.data(), bytes, AccessKind::kRead, 0});
    }
    const EmulationResult result = emulation.meter->settle();
    gb_s[quarter ? 0 : 1] =
        100.0 * static_cast<double>(bytes) / static_cast<double>(result.modelled_ns);
  }
  CHECK(gb_s[0] / gb_s[1] == Approx(0.25).epsilon(0.001));
  CHECK(gb_s[1] == Approx(37.4).epsilon(0.01));
}

TEST_CASE("model: the ntstore thread curve is FAST'20's table") {
  Emulation emulation(EmulationMode::kModel, named("optane-100-6dimm"));
  const BandwidthPoint table[] = {{1, 4.1},   {2, 8.2},   {3, 11.8}, {4, 12.5}, {8, 12.0},
                                  {12, 10.7}, {16, 10.0}, {20, 8.8}, {24, 7.5}};
  for (const BandwidthPoint& point : table) {
    emulation.meter->begin(static_cast<std::size_t>(point.threads));
    for (std::uint64_t m = 0; m < 100; ++m) {
      emulation.meter->access(scan_of(m * kMorselBytes, kMorselBytes, AccessKind::kWrite));
    }
    const auto ns = static_cast<double>(emulation.meter->settle().modelled_ns);
    CHECK(100.0 * static_cast<double>(kMorselBytes) / ns == Approx(point.gb_s).epsilon(0.001));
  }
}

TEST_CASE("model: a full scan of a 5 TiB st1 volume takes 10,486 s") {
  HandClock clock;
  auto meter = meter_of(EmulationMode::kModel, clock, {{named("ebs-st1"), 0, {}}});
  constexpr std::uint64_t kTebibyte = std::uint64_t{1} << 40;
  meter->add_region(at(0), 5 * kTebibyte, 0);
  meter->begin(1);
  for (std::uint64_t i = 0; i < 5 * 1024; ++i) {
    meter->access(scan_of(i << 30, std::uint64_t{1} << 30));
  }
  CHECK(static_cast<double>(meter->settle().modelled_ns) * 1e-9 == Approx(10485.76).margin(0.5));
  // Then the bucket is empty: what comes after it goes at the base rate, 200 MiB/s.
  meter->begin(1);
  for (std::uint64_t i = 0; i < 10 * 1024; ++i) {
    meter->access(scan_of(i % 5120 << 30, std::uint64_t{1} << 30));
  }
  CHECK(static_cast<double>(meter->settle().modelled_ns) * 1e-9 ==
        Approx(10485.76 + 5 * 1048576 / 200.0).margin(1));
}

TEST_CASE("more bandwidth is never slower, in any mode") {
  const auto bits = every(256, 1, 65536);
  for (const auto mode : {EmulationMode::kWall, EmulationMode::kModel}) {
    std::int64_t before = INT64_MAX;
    for (double gb_s = 0.5; gb_s < 100; gb_s *= 1.3) {
      Emulation emulation(mode, flat(gb_s, 305, 256));
      emulation.meter->begin(1);
      for (std::uint64_t m = 0; m < 200; ++m) {
        emulation.clock.work(15000);
        emulation.meter->access(scan_of(m * kMorselBytes, kMorselBytes));
        emulation.meter->access(
            {at(m * kMorselBytes), 65536, 8, bits.data(), 256 * 64, AccessKind::kRead, 0});
      }
      const std::int64_t now = emulation.meter->settle().modelled_ns;
      CHECK(now <= before);
      before = now;
    }
  }
}

TEST_CASE("model: the same account for any spread of the morsels over workers") {
  Emulation emulation(EmulationMode::kModel, named("optane-100-6dimm"));
  const auto bits = every(200, 3, 65536);
  std::vector<EmulationResult> results;
  for (int repeat = 0; repeat < 3; ++repeat) {
    emulation.meter->begin(4);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint64_t m = t; m < 100; m += 4) {
          emulation.meter->access(scan_of(m * kMorselBytes, kMorselBytes - m * 8));
          emulation.meter->access({at(m * kMorselBytes + 8 * m), 60000, 8, bits.data(), 330 * 64,
                                   AccessKind::kRead, m % 2});
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    results.push_back(emulation.meter->settle());
  }
  CHECK(results[0].modelled_ns > 0);
  for (const EmulationResult& result : results) {
    CHECK(result.modelled_ns == results[0].modelled_ns);
    CHECK(result.bandwidth_ns == results[0].bandwidth_ns);
    CHECK(result.latency_ns == results[0].latency_ns);
    CHECK(result.devices[0].media.read == results[0].devices[0].media.read);
  }
}

TEST_CASE("a device that comes later is charged too, and one that goes leaves its number behind") {
  HandClock clock;
  auto meter = meter_of(EmulationMode::kModel, clock, {});
  const auto first = meter->add_device({flat(1, 100), 0, {}});
  const auto second = meter->add_device({flat(2, 100), 0, {}});
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  meter->remove_device(*first);
  meter->add_region(at(0), kMorselBytes, *second);
  CHECK(meter->charges(at(kMorselBytes - 1), *second));
  CHECK_FALSE(meter->charges(at(0), *first));
  CHECK_FALSE(meter->charges(at(kMorselBytes), *second));
  meter->begin(1);
  meter->access(scan_of(0, kMorselBytes));
  const EmulationResult result = meter->settle();
  REQUIRE(result.devices.size() == 2);  // and the host
  CHECK(result.devices[0].read_bytes == kMorselBytes);
  CHECK(result.modelled_ns == static_cast<std::int64_t>(kMorselBytes) / 2);
}

}  // namespace
}  // namespace hdbench::pmem
