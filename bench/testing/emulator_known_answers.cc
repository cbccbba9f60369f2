// The emulator against answers that are known, on this machine's own clock: prints expected,
// measured and error a row, and always exits 0. It is read, not passed: a busy machine is late.
// Arguments: the groups to run (caps chase random throttle); none: all. What needs no clock, unit
// tests of pmem/emulator hold.
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

}  // namespace
}  // namespace hdbench::bench

int main(int argc, char** argv) {
  struct Group {
    std::string_view name;
    void (*run)();
  };
  constexpr Group kGroups[] = {{"caps", hdbench::bench::bandwidth_caps},
                               {"chase", hdbench::bench::dependent_chase},
                               {"random", hdbench::bench::independent_random},
                               {"throttle", hdbench::bench::throttled_disk}};
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
