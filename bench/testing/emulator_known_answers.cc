// The emulator against answers that are known, on this machine's own clock: prints expected,
// measured and error a row, and always exits 0. It is read, not passed: a busy machine is late.
// Arguments: the groups to run (caps chase random throttle loaded mixes takes); none: all. What
// needs no clock, unit tests of pmem/emulator hold.
//
// A measured figure is the median of five runs. Threads only charge (but for the chase, which
// really loads), so they mostly sleep, and more of them than there are cores do not delay each
// other.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/base/layers.h"
#include "pmem/emulator/emulated_meter.h"
#include "pmem/testing/flat_profile.h"

namespace hdbench::bench {
namespace {

constexpr std::uintptr_t kBase = std::uintptr_t{1} << 42;  // never read
constexpr std::uint64_t kMorselBytes = std::uint64_t{1} << 19;
constexpr std::uint64_t kMorselRows = kMorselBytes / 8;
constexpr double kRunNs = 1e8;

void print_row(const std::string& test, double expected, double measured, const char* unit) {
  const double error = expected == 0 ? measured * 100 : (measured / expected - 1) * 100;
  fmt::print("{:<58} {:>11.4g} {:>11.4g} {:<5} {:>+7.2f} %\n", test, expected, measured, unit,
             error);
  std::fflush(stdout);
}

template <typename T>
T value_or_exit(Result<T> result) {
  if (result.ok()) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(2);
}

std::unique_ptr<EmulatedMeter> meter_of(EmulationMode mode, const EmulatedDeviceSetup& setup,
                                        const HostCalibration& host = {}) {
  return value_or_exit(EmulatedMeter::make({mode, {setup}, host, 0, nullptr}));
}

// Morsels charged by so many threads, each taking the next; returns what settle() says.
EmulationResult charge_morsels(EmulatedMeter& meter, std::size_t threads, std::uint64_t morsels,
                               const Access& morsel) {
  meter.begin(threads);
  std::atomic<std::uint64_t> next{0};
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      Access access = morsel;
      for (std::uint64_t m = next++; m < morsels; m = next++) {
        access.address = std::bit_cast<const std::byte*>(kBase + m * kMorselBytes);
        meter.access(access);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  return meter.settle();
}

Access scanned(AccessKind kind) {
  return {nullptr, kMorselRows, 8, nullptr, kMorselBytes, kind, 0};
}

// Runs of `run` longs at every `stride` of them.
std::vector<std::uint64_t> every(std::size_t stride, std::size_t run) {
  std::vector<std::uint64_t> bits(kMorselRows / 64, 0);
  for (std::size_t i = 0; i < kMorselRows; ++i) {
    if (i % stride < run) bits[i / 64] |= std::uint64_t{1} << i % 64;
  }
  return bits;
}

constexpr int kRuns = 5;

// The median of five calls.
template <typename Run>
double median_of(const Run& run) {
  std::vector<double> figures;
  for (int i = 0; i < kRuns; ++i) figures.push_back(run());
  std::nth_element(figures.begin(), figures.begin() + kRuns / 2, figures.end());
  return figures[kRuns / 2];
}

// GB/s of accessed bytes of a whole run.
double run_gb_s(EmulatedMeter& meter, std::size_t threads, std::uint64_t morsels,
                const Access& morsel) {
  return median_of([&] {
    const EmulationResult result = charge_morsels(meter, threads, morsels, morsel);
    return static_cast<double>(morsels * morsel.bytes) / static_cast<double>(result.elapsed_ns);
  });
}

void bandwidth_caps() {
  for (const double gb_s : {0.5, 2.9, 6.5, 12.5, 39.4}) {
    for (const std::size_t threads : {1U, 2U, 4U, 8U}) {
      const auto meter = meter_of(EmulationMode::kWall, {flat(gb_s, 0), 0, {}});
      meter->add_region(std::bit_cast<const std::byte*>(kBase), std::size_t{1} << 40, 0);
      const auto morsels = static_cast<std::uint64_t>(kRunNs * gb_s / double{kMorselBytes});
      print_row(fmt::format("wall: bandwidth cap, {} threads", threads), gb_s,
                run_gb_s(*meter, threads, morsels, scanned(AccessKind::kRead)), "GB/s");
    }
  }
}

// One random cycle through lines of 64 bytes.
class Chase {
 public:
  explicit Chase(std::size_t bytes) : lines_(bytes / sizeof(Line)) {
    std::vector<std::uint32_t> order(lines_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    for (std::size_t i = 0; i < order.size(); ++i) {
      lines_[order[i]].next = order[(i + 1) % order.size()];
    }
  }

  void follow(std::uint64_t loads) {
    for (; loads > 0; --loads) at_ = lines_[at_].next;
  }
  const std::byte* memory() const { return reinterpret_cast<const std::byte*>(lines_.data()); }
  std::size_t bytes() const { return lines_.size() * sizeof(Line); }
  std::uint32_t at() const { return at_; }

 private:
  struct alignas(64) Line {
    std::uint32_t next = 0;
  };
  std::vector<Line> lines_;
  std::uint32_t at_ = 0;
};

constexpr std::uint64_t kLoads = 500'000;
constexpr std::uint64_t kLoadsAtOnce = 100;

double host_chase_ns(Chase& chase) {
  SteadyEmulationClock clock;
  return median_of([&] {
    const std::int64_t begin = clock.now_ns();
    chase.follow(kLoads);
    return static_cast<double>(clock.now_ns() - begin) / kLoads;
  });
}

// The same loads, with a wait after every thousand as a debt makes them: meanwhile others have the
// caches, page tables' among them, and each load is slower than the calibrated one.
double host_chase_between_waits_ns(Chase& chase) {
  SteadyEmulationClock clock;
  return median_of([&] {
    std::int64_t loads_ns = 0;
    for (std::uint64_t i = 0; i < kLoads; i += 1000) {
      const std::int64_t begin = clock.now_ns();
      chase.follow(1000);
      const std::int64_t end = clock.now_ns();
      loads_ns += end - begin;
      clock.wait_until(end + EmulatedMeter::kDebtNs, WaitFor::kMemory, nullptr);
    }
    return static_cast<double>(loads_ns) / kLoads;
  });
}

double emulated_chase_ns(Chase& chase, double device_ns, const HostCalibration& host) {
  const auto meter = meter_of(EmulationMode::kWall, {flat(40, device_ns), 0, {}}, host);
  meter->add_region(chase.memory(), chase.bytes(), 0);
  return median_of([&] {
    meter->begin(1);
    for (std::uint64_t i = 0; i < kLoads; i += kLoadsAtOnce) {
      chase.follow(kLoadsAtOnce);
      meter->access({chase.memory(), kLoadsAtOnce * 8, 8, nullptr, kLoadsAtOnce * 64,
                     AccessKind::kRead, kLoadsAtOnce});
    }
    return static_cast<double>(meter->settle().elapsed_ns) / kLoads;
  });
}

// The host is calibrated before each row: a machine that slows down slows both alike.
void dependent_chase() {
  Chase chase(std::size_t{512} << 20);
  const double straight_ns = host_chase_ns(chase);
  print_row("the host's own load: straight, and between waits", straight_ns,
            host_chase_between_waits_ns(chase), "ns");
  for (const double device_ns : {305.0, 500.0, 1000.0, 4000.0}) {
    HostCalibration host;
    host.chase_ns = host_chase_ns(chase);
    const double measured = emulated_chase_ns(chase, device_ns, host);
    print_row(fmt::format("wall: dependent chase (host's own load {:.0f} ns)", host.chase_ns),
              std::max(device_ns, host.chase_ns), measured, "ns");
  }
  if (chase.at() >= chase.bytes()) std::abort();  // keeps the loads
}

void independent_random() {
  const auto bits = every(256, 1);
  constexpr std::uint64_t kMorsels = 10000;
  constexpr double kAccesses = kMorsels * kMorselRows / 256.0;
  const Access access{
      nullptr, kMorselRows, 8, bits.data(), kMorselRows / 256 * 64, AccessKind::kRead, 0};
  for (const double gb_s : {2.0, 40.0}) {
    const auto meter = meter_of(EmulationMode::kWall, {flat(gb_s, 305, 256), 0, {}});
    meter->add_region(std::bit_cast<const std::byte*>(kBase), std::size_t{1} << 40, 0);
    const double access_ns = static_cast<double>(kMorsels * access.bytes) /
                             run_gb_s(*meter, 1, kMorsels, access) / kAccesses;
    print_row(fmt::format("wall: independent random, {} GB/s, 305 ns, an access", gb_s),
              std::max(256 / gb_s, 305 / 8.5), access_ns, "ns");
  }
}

// A disk under the kernel's throttle: 17 MB at 1.3 GB/s, and as many again every 100 ms.
void throttled_disk() {
  DeviceProfile disk = flat(1.3, 0, 4096);
  disk.credits =
      CreditBucket{CreditBucket::Unit::kBytes, 17e6, 170e6, 1.3e9, CreditBucket::Refill::kSteps};
  for (const auto mode : {EmulationMode::kModel, EmulationMode::kWall}) {
    for (const std::uint64_t morsels : {8U, 100U, 470U}) {
      const auto meter = meter_of(mode, {disk, 0, {}});
      meter->add_region(std::bit_cast<const std::byte*>(kBase), std::size_t{1} << 40, 0);
      const double bytes = static_cast<double>(morsels * kMorselBytes);
      const double steps = std::ceil(bytes / 17e6) - 1;
      const EmulationResult result = charge_morsels(*meter, 2, morsels, scanned(AccessKind::kRead));
      print_row(fmt::format("{}: throttled disk, {:.1f} MB",
                            mode == EmulationMode::kModel ? "model" : "wall", bytes / 1e6),
                steps * 100 + (bytes - steps * 17e6) / 1.3e6,
                static_cast<double>(result.modelled_ns) * 1e-6, "ms");
    }
  }
}

// Reports of 64 KiB at a rate, so that the device is loaded with so many GB/s; while others use it.
class Load {
 public:
  Load(EmulatedMeter& meter, std::uintptr_t begin, double gb_s, AccessKind kind)
      : thread_([&meter, begin, gb_s, kind](const std::stop_token& stop) {
          constexpr std::uint64_t kBytes = std::uint64_t{64} << 10;
          SteadyEmulationClock clock;
          const std::int64_t begin_ns = clock.now_ns();
          for (double moved = 0; !stop.stop_requested(); moved += kBytes) {
            clock.wait_until(begin_ns + static_cast<std::int64_t>(moved / gb_s), WaitFor::kMemory,
                             nullptr);
            meter.access(
                {std::bit_cast<const std::byte*>(begin), kBytes / 8, 8, nullptr, kBytes, kind, 0});
          }
        }) {}

 private:
  std::jthread thread_;
};

// A card whose latency grows from 400 to 1600 ns, at ten loads.
void loaded_latency() {
  DeviceProfile card = flat(40, 400);
  card.loaded_latency = {{0, 400}, {10, 440}, {20, 560}, {30, 900}, {36, 1600}};
  Chase chase(std::size_t{512} << 20);
  for (int k = 0; k < 10; ++k) {
    const double gb_s = 0.01 + 3.5 * k;
    HostCalibration host;
    host.chase_ns = host_chase_ns(chase);
    const auto meter = meter_of(EmulationMode::kWall, {card, 0, {}}, host);
    meter->add_region(std::bit_cast<const std::byte*>(kBase), std::size_t{1} << 30, 0);
    meter->add_region(chase.memory(), chase.bytes(), 0);
    const double measured = median_of([&] {
      meter->begin(2);
      std::int64_t elapsed_ns = 0;
      {
        const Load load(*meter, kBase, gb_s, AccessKind::kRead);
        SteadyEmulationClock clock;
        const std::int64_t begin_ns = clock.now_ns();
        for (std::uint64_t i = 0; i < kLoads; i += kLoadsAtOnce) {
          chase.follow(kLoadsAtOnce);
          meter->access({chase.memory(), kLoadsAtOnce * 8, 8, nullptr, kLoadsAtOnce * 64,
                         AccessKind::kRead, kLoadsAtOnce});
        }
        elapsed_ns = clock.now_ns() - begin_ns;
      }
      (void)meter->settle();
      return static_cast<double>(elapsed_ns) / kLoads;
    });
    const double own_gb_s = 64 / measured;
    print_row(fmt::format("wall: chase beside {:.1f} GB/s", gb_s),
              400 * card.loaded_over_idle(gb_s + own_gb_s), measured, "ns");
  }
}

void mixes() {
  DeviceProfile card = flat(27, 0);
  card.curves[1][0].points = {{1, 27}};
  card.mix_points = {{0, 27}, {0.5, 34}, {2.0 / 3, 36}, {0.75, 33}, {1, 27}};
  for (const auto& [reads, writes] : {std::pair{1, 0}, {3, 1}, {2, 1}, {1, 1}, {0, 1}}) {
    const auto meter = meter_of(EmulationMode::kWall, {card, 0, {}});
    meter->add_region(std::bit_cast<const std::byte*>(kBase), std::size_t{1} << 40, 0);
    const double share = reads / static_cast<double>(reads + writes);
    const double measured = median_of([&] {
      constexpr int kRounds = 1500;
      meter->begin(1);
      for (int k = 0; k < kRounds; ++k) {
        Access access = scanned(AccessKind::kRead);
        access.address = std::bit_cast<const std::byte*>(kBase);
        for (int r = 0; r < reads; ++r) meter->access(access);
        access.kind = AccessKind::kWrite;
        for (int w = 0; w < writes; ++w) meter->access(access);
      }
      const double bytes = static_cast<double>(kMorselBytes) * kRounds * (reads + writes);
      return bytes / static_cast<double>(meter->settle().elapsed_ns);
    });
    print_row(fmt::format("wall: {} reads to {} writes", reads, writes),
              value_at(card.mix_points, &MixPoint::read_share, &MixPoint::gb_s, share), measured,
              "GB/s");
  }
}

// A device that takes from others when it is loaded, beside one that is twice as fast.
void takes_from_others() {
  DeviceProfile card = flat(10, 0);
  card.interference_share = 0.4;
  for (const double load : {0.01, 2.5, 5.0, 7.5, 9.5}) {
    const auto meter = value_or_exit(EmulatedMeter::make(
        {EmulationMode::kWall, {{card, 0, {}}, {flat(20, 0), 0, {}}}, {}, 0, nullptr}));
    constexpr std::uintptr_t kOther = kBase + (std::uintptr_t{1} << 40);
    meter->add_region(std::bit_cast<const std::byte*>(kBase), std::size_t{1} << 40, 0);
    meter->add_region(std::bit_cast<const std::byte*>(kOther), std::size_t{1} << 40, 1);
    const double measured = median_of([&] {
      constexpr std::uint64_t kMorsels = 4000;
      meter->begin(2);
      std::int64_t elapsed_ns = 0;
      {
        const Load beside(*meter, kBase, load, AccessKind::kRead);
        SteadyEmulationClock clock;
        const std::int64_t begin_ns = clock.now_ns();
        Access access = scanned(AccessKind::kRead);
        access.address = std::bit_cast<const std::byte*>(kOther);
        for (std::uint64_t m = 0; m < kMorsels; ++m) meter->access(access);
        elapsed_ns = clock.now_ns() - begin_ns;
      }
      (void)meter->settle();
      return static_cast<double>(kMorsels * kMorselBytes) / static_cast<double>(elapsed_ns);
    });
    print_row(fmt::format("wall: 20 GB/s beside {} of 10 GB/s that take 40 %", load),
              20 * (1 - 0.4 * load / 10), measured, "GB/s");
  }
}

}  // namespace
}  // namespace hdbench::bench

int main(int argc, char** argv) {
  struct Group {
    std::string_view name;
    void (*run)();
  };
  constexpr Group kGroups[] = {
      {"caps", hdbench::bench::bandwidth_caps},       {"chase", hdbench::bench::dependent_chase},
      {"random", hdbench::bench::independent_random}, {"throttle", hdbench::bench::throttled_disk},
      {"loaded", hdbench::bench::loaded_latency},     {"mixes", hdbench::bench::mixes},
      {"takes", hdbench::bench::takes_from_others}};
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = -1;
  fmt::print("{} hardware threads, load {:.2f}\n{:<58} {:>11} {:>11} {:<5} {:>9}\n",
             std::thread::hardware_concurrency(), load, "test", "expected", "measured", "",
             "error");
  for (const Group& group : kGroups) {
    if (argc < 2 || std::find(argv + 1, argv + argc, group.name) != argv + argc) group.run();
  }
  return 0;
}
