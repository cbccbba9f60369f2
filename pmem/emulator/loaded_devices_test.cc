// Devices under load: latency by load, mixes of reads and writes, what devices take from one
// another, and pages shared between two of them. All answers are known.
#include <vector>

#include "engine/base/catch.h"
#include "pmem/emulator/device_account.h"
#include "pmem/emulator/emulated_device.h"
#include "pmem/emulator/near_cache.h"
#include "pmem/testing/test_meter.h"

namespace hdbench::pmem {
namespace {

using namespace testing;

DeviceProfile loaded() {
  DeviceProfile profile = flat(40, 100);
  profile.loaded_latency = {{0, 100}, {10, 110}, {20, 150}, {30, 250}, {40, 600}};
  return profile;
}

TEST_CASE("a profile's latency by load is linear between points and constant outside them") {
  const DeviceProfile profile = loaded();
  CHECK(profile.loaded_over_idle(0) == 1);
  CHECK(profile.loaded_over_idle(25) == Approx(2));
  CHECK(profile.loaded_over_idle(1000) == Approx(6));
  CHECK(flat(40, 100).loaded_over_idle(39) == 1);
}

// Nanoseconds of a load that waits for the one before it, while others move so many GB/s.
double chased_ns(double gb_s, const Moment& begin) {
  DeviceAccount account(loaded(), {});
  account.begin({2, begin.now_ns, 0});
  constexpr std::int64_t kStepNs = 10'000;
  double latency_ns = 0;
  std::int64_t now_ns = begin.now_ns;
  constexpr int kSteps = 200;
  for (int k = 0; k < 2 * kSteps; ++k) {
    now_ns += kStepNs;
    const auto lines = static_cast<std::uint64_t>(gb_s * kStepNs / 64);
    account.charge({AccessKind::kRead, AccessPattern::kSequential, lines}, now_ns);
    const Charged chased =
        account.charge({AccessKind::kRead, AccessPattern::kRandom, 0, 10, 0}, now_ns);
    if (k >= kSteps) latency_ns += static_cast<double>(chased.latency_ns) / 10;
  }
  return latency_ns / kSteps;
}

TEST_CASE("an emulated latency follows the profile's curve at ten loads") {
  for (int k = 0; k < 10; ++k) {
    const double gb_s = 4.0 * k;
    CHECK(chased_ns(gb_s, 5'000'000) ==
          Approx(100 * loaded().loaded_over_idle(gb_s)).epsilon(0.01));
  }
}

TEST_CASE("model: the time at which load and latency fit together") {
  // A chase of N reads beside a scan of so many bytes on another thread: T = N x L(bytes / T).
  HandClock clock;
  auto meter = meter_of(EmulationMode::kModel, clock, {{loaded(), 0, {}}});
  meter->add_region(at(0), std::size_t{1} << 40, 0);
  meter->begin(1);
  Access chase = scan_of(0, 64000);
  chase.dependent_accesses = 100'000;
  meter->access(chase);
  meter->access(scan_of(0, 200'000'000));
  const auto modelled = static_cast<double>(meter->settle().modelled_ns);
  CHECK(modelled ==
        Approx(100'000 * 100 * loaded().loaded_over_idle(200'064'000 / modelled)).epsilon(0.001));
  CHECK(modelled > 100'000 * 100);
}

DeviceProfile mixed() {
  DeviceProfile profile = flat(27, 0);
  profile.curves[1][0].points = {{1, 20}};
  profile.mix_points = {{0, 20}, {0.5, 36}, {2.0 / 3, 36}, {0.75, 33}, {1, 27}};
  return profile;
}

// GB/s of morsels of which so many are read and then so many written, over and over.
double mix_gb_s(EmulationMode mode, int reads, int writes, std::size_t threads = 1) {
  HandClock clock;
  auto meter = meter_of(mode, clock, {{mixed(), 0, {}}});
  meter->add_region(at(0), std::size_t{1} << 40, 0);
  meter->begin(threads);
  constexpr int kRounds = 3000;
  for (int k = 0; k < kRounds; ++k) {
    for (int r = 0; r < reads; ++r) meter->access(scan_of(0, kMorselBytes));
    for (int w = 0; w < writes; ++w) meter->access(scan_of(0, kMorselBytes, AccessKind::kWrite));
  }
  const double bytes = static_cast<double>(kMorselBytes) * kRounds * (reads + writes);
  return bytes / static_cast<double>(meter->settle().modelled_ns);
}

TEST_CASE("reads and writes together get what the profile says of their mix") {
  for (const auto mode : {EmulationMode::kWall, EmulationMode::kModel}) {
    CHECK(mix_gb_s(mode, 1, 0) == Approx(27).epsilon(0.001));
    CHECK(mix_gb_s(mode, 3, 1) == Approx(33).epsilon(0.03));
    CHECK(mix_gb_s(mode, 2, 1) == Approx(36).epsilon(0.03));
    CHECK(mix_gb_s(mode, 1, 1) == Approx(36).epsilon(0.03));
    CHECK(mix_gb_s(mode, 0, 1) == Approx(20).epsilon(0.001));
  }
}

TEST_CASE("reads of long ago are not part of a mix") {
  DeviceAccount account(mixed(), {});
  constexpr std::uint64_t kLines = std::uint64_t{1} << 14;
  for (int k = 0; k < 1000; ++k)
    account.charge({AccessKind::kRead, AccessPattern::kSequential, kLines}, 0);
  const std::int64_t reads_ns = account.busy_until_ns();
  for (int k = 0; k < 1000; ++k)
    account.charge({AccessKind::kWrite, AccessPattern::kSequential, kLines}, 0);
  const double writes_ns = static_cast<double>(account.busy_until_ns() - reads_ns);
  CHECK(writes_ns == Approx(1000.0 * kLines * 64 / 20).epsilon(0.03));
}

DeviceProfile taking(double share) {
  DeviceProfile profile = flat(10, 0);
  profile.name = "taking";
  profile.interference_share = share;
  return profile;
}

// How long a scan keeps its device busy while another device, used in turn with it, moves gb_s.
double scan_ns_beside(EmulationMode mode, double share, double gb_s) {
  HandClock clock;
  auto meter = meter_of(mode, clock, {{taking(share), 0, {}}, {flat(20, 0), 0, {}}});
  meter->add_region(at(0), std::size_t{1} << 30, 0);
  meter->add_region(at(std::size_t{1} << 30), std::size_t{1} << 30, 1);
  meter->begin(1);
  constexpr std::uint64_t kPieces = 4000;
  constexpr std::uint64_t kPiece = 10'000;
  const auto beside = static_cast<std::uint64_t>(gb_s / 20 * kPiece) / 8 * 8;
  for (std::uint64_t k = 0; k < kPieces; ++k) {
    meter->access(scan_of(k * kPiece, beside));
    meter->access(scan_of((std::size_t{1} << 30) + k * kPiece, kPiece));
  }
  return static_cast<double>(meter->settle().devices[1].busy_ns);
}

TEST_CASE("a loaded device takes from the bandwidth of another one, in proportion to its load") {
  const double alone_ns = scan_ns_beside(EmulationMode::kWall, 0, 0);
  CHECK(alone_ns == Approx(2e6).epsilon(0.05));
  DeviceAccount account(taking(0.4), {});
  CHECK(account.taken_share(0) == 0);
  CHECK(account.taken_share(5) == Approx(0.2));
  CHECK(account.taken_share(10) == Approx(0.4));
  CHECK(account.taken_share(50) == Approx(0.4));
  DeviceAccount slowed(flat(20, 0), {});
  const auto transfer_ns = [&](double others_slow) {
    slowed.begin({});
    return slowed.charge({AccessKind::kRead, AccessPattern::kSequential, 1000}, {0, others_slow})
        .deadline_ns;
  };
  CHECK(transfer_ns(1) == 3200);
  CHECK(transfer_ns(2) == 6400);
}

TEST_CASE("model: two devices that work all the time, of which one takes 30 % of the other") {
  HandClock clock;
  auto meter = meter_of(EmulationMode::kModel, clock, {{taking(0.3), 0, {}}, {flat(20, 0), 0, {}}});
  meter->add_region(at(0), std::size_t{1} << 30, 0);
  meter->add_region(at(std::size_t{1} << 30), std::size_t{1} << 30, 1);
  meter->begin(64);
  // Bytes in proportion to the bandwidths that are left: both end at the same time.
  meter->access(scan_of(0, 100'000'000));
  meter->access(scan_of(std::size_t{1} << 30, 140'000'000));
  const auto both = static_cast<double>(meter->settle().modelled_ns);
  CHECK(both == Approx(1e7).epsilon(0.001));
}

// GB/s of all threads of pages shared by these weights, in the mix of reads to writes.
double shared_gb_s(std::uint64_t local, std::uint64_t far, int reads, int writes) {
  EmulatedDeviceSetup setup{named("cxl-cz122-8x"), 0, {}};
  setup.interleave = {local, far};
  setup.local = named("ddr5-6400-12ch");
  HandClock clock;
  auto meter = meter_of(EmulationMode::kModel, clock, {setup});
  meter->add_region(at(0), std::size_t{1} << 40, 0);
  meter->begin(128);
  // Whole turns of pages, so that both sides have their weights.
  const std::uint64_t piece = (local + far) * kPlacedBlockBytes;
  std::uint64_t next = 0;
  constexpr int kRounds = 3000;
  for (int k = 0; k < kRounds; ++k) {
    for (int r = 0; r < reads; ++r) meter->access(scan_of(piece * next++, piece));
    for (int w = 0; w < writes; ++w)
      meter->access(scan_of(piece * next++, piece, AccessKind::kWrite));
  }
  const double bytes = static_cast<double>(piece) * kRounds * (reads + writes);
  return bytes / static_cast<double>(meter->settle().modelled_ns);
}

double best_shared_gb_s(int reads, int writes) {
  double best = 0;
  for (std::uint64_t local = 8; local <= 40; ++local) {
    best = std::max(best, shared_gb_s(local, 10, reads, writes));
  }
  return best;
}

TEST_CASE("eight cards beside twelve channels: 24 % more to read, 39 % more mixed") {
  const DeviceProfile dram = named("ddr5-6400-12ch");
  const double mixed_alone = dram.mix_points[2].gb_s;
  CHECK(best_shared_gb_s(1, 0) / 540 == Approx(1.24).epsilon(0.02));
  CHECK(best_shared_gb_s(2, 1) / mixed_alone == Approx(1.39).epsilon(0.02));
}

TEST_CASE("one card gives 36 GB/s at two reads to a write") {
  DeviceAccount account(named("cxl-cz122"), {});
  constexpr std::uint64_t kLines = 8192;
  for (int k = 0; k < 3000; ++k) {
    account.charge({AccessKind::kRead, AccessPattern::kSequential, 2 * kLines}, 0);
    account.charge({AccessKind::kWrite, AccessPattern::kSequential, kLines}, 0);
  }
  CHECK(3000.0 * 3 * kLines * 64 / static_cast<double>(account.busy_until_ns()) ==
        Approx(36).epsilon(0.03));
}

TEST_CASE("an exclusive near memory swaps a line at each miss, and both hold all") {
  constexpr std::uint64_t kBlocks = 64;
  NearCache cache({kBlocks * kPlacedBlockBytes, 64, false, NearPolicy::kExclusive});
  for (const std::uint64_t data : {32U, 64U, 80U, 96U, 128U}) {
    PhysicalMemory memory({}, cache.sets());
    const auto blocks = memory.place(data);
    NearTransactions moved;
    for (int pass = 0; pass < 2; ++pass) {
      moved = {};
      for (const PlacedBlock& block : blocks) cache.access(block, {}, moved);
    }
    // As of a direct-mapped cache: lines of a set in turn are always the other one.
    const double c = kBlocks;
    const auto d = static_cast<double>(data);
    const double hits = d <= c ? 1 : (2 * c - d) / d;
    CHECK(static_cast<double>(moved.hits) == Approx(hits * static_cast<double>(moved.lines)));
    const std::uint64_t misses = (moved.lines - moved.hits) * 64;
    CHECK(moved.near_read_bytes == moved.lines * 64);
    CHECK(moved.near_write_bytes == misses);
    CHECK(moved.far_read_bytes == misses);
    CHECK(moved.far_write_bytes == misses);
    cache.clear();
  }
}

}  // namespace
}  // namespace hdbench::pmem
