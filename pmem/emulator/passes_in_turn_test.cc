// The meter where a query's bytes lie on several devices, or on one and in the host's own memory.
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/emulator/emulated_meter.h"
#include "pmem/testing/test_meter.h"

namespace hdbench::pmem {
namespace {

using namespace testing;

TEST_CASE("two workers share two devices: as long as the busier device, or their own draws") {
  HandClock clock;
  auto meter = meter_of(EmulationMode::kModel, clock, {{flat(1, 0), 0, {}}, {flat(4, 0), 0, {}}});
  meter->add_region(at(0), kMorselBytes, 0);
  meter->add_region(at(kMorselBytes), kMorselBytes, 1);
  const auto modelled = [&](std::size_t threads) {
    meter->begin(threads);
    meter->access(scan_of(0, kMorselBytes));
    meter->access(scan_of(kMorselBytes, kMorselBytes));
    return meter->settle().modelled_ns;
  };
  const auto morsel = static_cast<std::int64_t>(kMorselBytes);
  CHECK(modelled(1) == morsel + morsel / 4);
  CHECK(modelled(2) == morsel);  // the slow device is busy all the while
}

// Nanoseconds of 1000 rounds of one worker: a transfer from one device of 1 GB/s, then 1000 loads
// from another of 305 ns that wait for one another, of which the host takes its part.
double transfers_and_chases_ns(std::uint64_t transfer_bytes, double host_load_ns,
                               std::int64_t late_ns) {
  constexpr std::uint64_t kRounds = 1000;
  constexpr std::uint64_t kLoads = 1000;
  HandClock clock;
  clock.late_ns = late_ns;
  HostCalibration host;
  host.chase_ns = host_load_ns;
  auto meter =
      meter_of(EmulationMode::kWall, clock, {{flat(1, 0), 0, {}}, {flat(40, 305), 0, {}}}, host);
  meter->add_region(at(0), kRounds * kMorselBytes, 0);
  meter->add_region(at(kRounds * kMorselBytes), kRounds * kMorselBytes, 1);
  meter->begin(1);
  for (std::uint64_t i = 0; i < kRounds; ++i) {
    meter->access(scan_of(i * kMorselBytes, transfer_bytes));
    clock.work(static_cast<std::int64_t>(host_load_ns * kLoads));
    Access chase = scan_of((kRounds + i) * kMorselBytes, 6400);
    chase.dependent_accesses = kLoads;
    meter->access(chase);
  }
  return static_cast<double>(meter->settle().elapsed_ns);
}

TEST_CASE("wall: of two devices too, a wait that ends too late is taken off once") {
  const double expected = 1000 * (static_cast<double>(kMorselBytes) + 305e3);
  for (const std::int64_t late_ns : {0, 300000, 700000, 3000000}) {
    CHECK(transfers_and_chases_ns(kMorselBytes, 0, late_ns) == Approx(expected).epsilon(0.03));
  }
}

TEST_CASE("wall: a transfer that is not done yet is no further after loads from another device") {
  CHECK(transfers_and_chases_ns(150016, 100, 0) == Approx(1000 * (150016.0 + 305e3)).epsilon(0.03));
}

// Milliseconds of rounds of work and gathers from one device, beside another that nobody accesses.
double gathers_ms(bool beside_another, std::int64_t work_ns, std::uint64_t accesses,
                  double host_ns) {
  HandClock clock;
  HostCalibration host;
  host.chase_ns = host_ns;
  std::vector<EmulatedDeviceSetup> devices = {{flat(40, 305), 0, {}}};
  if (beside_another) devices.push_back({flat(1, 0), 0, {}});
  auto meter = meter_of(EmulationMode::kWall, clock, devices, host);
  meter->add_region(at(0), std::size_t{1} << 40, 0);
  meter->begin(1);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    clock.work(work_ns);
    Access access = scan_of(i * kMorselBytes, 64 * accesses);
    access.dependent_accesses = accesses;
    meter->access(access);
  }
  return static_cast<double>(meter->settle().elapsed_ns) * 1e-6;
}

TEST_CASE("wall: work does not pay for loads, and another device nearby changes nothing") {
  for (const double host_ns : {0.0, 100.0}) {
    for (const std::uint64_t accesses : {100u, 500u, 2000u}) {
      const auto loads_ns = static_cast<std::int64_t>(host_ns * static_cast<double>(accesses));
      for (const std::int64_t work_ns : {std::int64_t{0}, loads_ns}) {
        const double alone = gathers_ms(false, loads_ns + work_ns, accesses, host_ns);
        CHECK(alone >= static_cast<double>(accesses) * 305e-3);
        CHECK(gathers_ms(true, loads_ns + work_ns, accesses, host_ns) ==
              Approx(alone).epsilon(0.01));
      }
    }
  }
}

// Nanoseconds of 1000 morsels of one worker: a pass over a column on the device, then one over a
// column of the host's own, each with so much work.
double device_then_host_ns(double gb_s, std::int64_t device_work_ns, std::int64_t host_work_ns) {
  HandClock clock;
  auto meter = meter_of(EmulationMode::kWall, clock, {{flat(gb_s, 0), 0, {}}});
  meter->add_region(at(0), 1000 * kMorselBytes, 0);
  meter->set_host_columns(true);
  meter->begin(1);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    meter->access(scan_of(i * kMorselBytes, kMorselBytes));
    clock.work(device_work_ns);
    meter->access(scan_of((1000 + i) * kMorselBytes, kMorselBytes));
    clock.work(host_work_ns);
  }
  return static_cast<double>(meter->settle().elapsed_ns);
}

TEST_CASE("wall: work on the host's own columns does not pay for a device's") {
  const auto transfer_ns = [](double gb_s) { return static_cast<double>(kMorselBytes) / gb_s; };
  for (const double gb_s : {0.5, 1.0, 5.0, 20.0}) {
    for (const std::int64_t host_work_ns : {20000, 90000, 400000}) {
      CAPTURE(gb_s, host_work_ns);
      CHECK(
          device_then_host_ns(gb_s, 20000, host_work_ns) ==
          Approx(1000 * (std::max(transfer_ns(gb_s), 20000.0) + static_cast<double>(host_work_ns)))
              .epsilon(0.01));
    }
  }
}

TEST_CASE("wall: what is written is transferred while what it is made of is read") {
  HandClock clock;
  auto meter = meter_of(EmulationMode::kWall, clock, {{flat(40, 0), 0, {}}});
  meter->add_region(at(0), 1000 * kMorselBytes, 0);
  meter->set_host_columns(true);
  const auto elapsed = [&](std::int64_t work_ns) {
    meter->begin(1);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      meter->access(scan_of((1000 + i) * kMorselBytes, kMorselBytes));
      meter->access(scan_of(i * kMorselBytes, kMorselBytes, AccessKind::kWrite));
      clock.work(work_ns);
    }
    return static_cast<double>(meter->settle().elapsed_ns);
  };
  CHECK(elapsed(50000) == Approx(50e6).epsilon(0.01));
  CHECK(elapsed(5000) == Approx(1000.0 * static_cast<double>(kMorselBytes) / 40).epsilon(0.01));
}

TEST_CASE("wall: what is read from one device and written to another moves on both at once") {
  const auto elapsed = [](double write_gb_s) {
    HandClock clock;
    auto meter =
        meter_of(EmulationMode::kWall, clock, {{flat(1, 0), 0, {}}, {flat(write_gb_s, 0), 0, {}}});
    meter->add_region(at(0), 100 * kMorselBytes, 0);
    meter->add_region(at(100 * kMorselBytes), 100 * kMorselBytes, 1);
    meter->begin(1);
    for (std::uint64_t i = 0; i < 100; ++i) {
      meter->access(scan_of(i * kMorselBytes, kMorselBytes));
      meter->access(scan_of((100 + i) * kMorselBytes, kMorselBytes, AccessKind::kWrite));
    }
    return static_cast<double>(meter->settle().elapsed_ns);
  };
  const double read_ns = 100 * static_cast<double>(kMorselBytes);
  CHECK(elapsed(1) == Approx(read_ns).epsilon(0.01));
  CHECK(elapsed(4) == Approx(read_ns).epsilon(0.01));
  CHECK(elapsed(0.5) == Approx(2 * read_ns).epsilon(0.01));
}

TEST_CASE("wall: a worker that has yet to wait keeps no device from another") {
  HandClock clock;
  auto meter = meter_of(EmulationMode::kWall, clock, {{flat(1, 1000), 0, {}}});
  meter->add_region(at(0), 1 << 20, 0);
  meter->set_host_columns(true);
  meter->begin(2);
  std::thread([&] {
    Access chase = scan_of(0, 64 * 150);
    chase.dependent_accesses = 150;
    meter->access(chase);  // 150 us, not waited for yet
    meter->access(scan_of(1 << 16, 50000));
  }).join();
  std::thread([&] { meter->access(scan_of(1 << 17, 50000)); }).join();
  CHECK(static_cast<double>(meter->settle().elapsed_ns) == Approx(200e3).epsilon(0.01));
}

TEST_CASE("wall: a disk reads ahead while a worker is at another device's columns") {
  HandClock clock;
  auto meter =
      meter_of(EmulationMode::kWall, clock, {{flat(1, 0), 0, {}, true}, {flat(40, 0), 0, {}}});
  meter->add_region(at(0), 1000 * kMorselBytes, 0);
  meter->add_region(at(1000 * kMorselBytes), 1000 * kMorselBytes, 1);
  const auto elapsed = [&](std::int64_t work_ns) {
    meter->drop_caches(0);
    meter->begin(1);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      meter->access(scan_of(i * kMorselBytes, 131072));
      meter->access(scan_of((1000 + i) * kMorselBytes, 131072));
      clock.work(work_ns);
    }
    return static_cast<double>(meter->settle().elapsed_ns);
  };
  CHECK(elapsed(10000) == Approx(1000 * 131072.0).epsilon(0.01));   // the disk's
  CHECK(elapsed(300000) == Approx(1000 * 300000.0).epsilon(0.01));  // the work's
}

TEST_CASE("wall: a near cache beside a host's column is as fast as alone") {
  const auto elapsed = [](bool beside) {
    HandClock clock;
    auto meter =
        meter_of(EmulationMode::kWall, clock, {{named("optane-memory-mode"), 1 << 20, {}}});
    meter->add_region(at(0), 64 * kMorselBytes, 0);
    meter->set_host_columns(beside);
    meter->begin(1);
    for (std::uint64_t i = 0; i < 64; ++i) meter->access(scan_of(i * kMorselBytes, kMorselBytes));
    return static_cast<double>(meter->settle().elapsed_ns);
  };
  CHECK(elapsed(true) == Approx(elapsed(false)).epsilon(0.02));
}

}  // namespace
}  // namespace hdbench::pmem
