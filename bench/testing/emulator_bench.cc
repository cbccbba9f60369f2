// Cost of access(), to be compared with the time of the morsel of 65,536 rows that it reports.
#include <benchmark/benchmark.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "bench/base/layers.h"
#include "pmem/emulator/emulated_meter.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kRows = 65536;
constexpr std::uint32_t kElementBytes = 8;
constexpr std::uint64_t kMorselBytes = kRows * kElementBytes;
constexpr std::uint64_t kRegionBytes = std::uint64_t{8} << 30;
// Never read; a column's rows begin after its header.
constexpr std::uintptr_t kBase = (std::uintptr_t{1} << 42) + 16;

// Fractions of the rows that are selected, in 1/10000.
enum Selection : std::int64_t { kAll = -1, kSparse = 10, kSome = 200, kDense = 5000 };

std::unique_ptr<EmulatedMeter> meter_on(const char* profile, std::uint64_t near_cache_bytes) {
  const auto device = load_profile(profile);
  if (!device.ok()) {
    std::fprintf(stderr, "%s\n", device.error().message.c_str());
    std::exit(1);
  }
  auto meter = EmulatedMeter::make(
      {EmulationMode::kModel, {{*device, near_cache_bytes, {}}}, {}, 0, nullptr});
  (*meter)->add_region(std::bit_cast<const std::byte*>(kBase), kRegionBytes, 0);
  (*meter)->begin(1);
  return std::move(*meter);
}

std::vector<std::uint64_t> random_bits(std::int64_t per_10000) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> bits(kRows / 64, 0);
  for (std::uint64_t i = 0; i < kRows; ++i) {
    if (static_cast<std::int64_t>(random() % 10000) < per_10000) {
      bits[i / 64] |= std::uint64_t{1} << i % 64;
    }
  }
  return bits;
}

void access_morsels(benchmark::State& state, const char* profile, std::uint64_t near_cache_bytes) {
  const auto meter = meter_on(profile, near_cache_bytes);
  const std::int64_t selected = state.range(0);
  const auto bits = random_bits(selected);
  Access access{nullptr,
                kRows,
                kElementBytes,
                selected == kAll ? nullptr : bits.data(),
                kMorselBytes,
                AccessKind::kRead,
                0};
  if (selected != kAll) {
    std::uint64_t lines = 0;
    for (std::uint64_t i = 0; i < kRows; i += 8) {
      lines += (bits[i / 64] >> i % 64 & 0xFF) != 0 ? 1 : 0;
    }
    access.bytes = lines * 64;
  }
  std::uint64_t offset = 0;
  for (auto _ : state) {
    access.address = std::bit_cast<const std::byte*>(kBase + offset);
    meter->access(access);
    offset = (offset + kMorselBytes) % kRegionBytes;
  }
  const EmulationResult result = meter->settle();
  const std::uint64_t expected = static_cast<std::uint64_t>(state.iterations()) * access.bytes;
  if (result.devices[0].read_bytes != expected) {
    std::fprintf(stderr, "charged %llu bytes, but %llu were accessed\n",
                 static_cast<unsigned long long>(result.devices[0].read_bytes),
                 static_cast<unsigned long long>(expected));
    std::abort();
  }
}

void dram_lines(benchmark::State& state) { access_morsels(state, "ddr4-2933-6ch", 0); }
void optane_lines(benchmark::State& state) { access_morsels(state, "optane-100-6dimm", 0); }
void pages(benchmark::State& state) { access_morsels(state, "nvme-p5510", 0); }
void near_cache(benchmark::State& state) {
  access_morsels(state, "optane-memory-mode", std::uint64_t{4} << 30);
}

BENCHMARK(dram_lines)->Arg(kAll)->Arg(kSparse)->Arg(kSome)->Arg(kDense);
BENCHMARK(optane_lines)->Arg(kAll)->Arg(kSparse)->Arg(kSome)->Arg(kDense);
BENCHMARK(pages)->Arg(kAll)->Arg(kSparse)->Arg(kSome)->Arg(kDense);
BENCHMARK(near_cache)->Arg(kAll)->Arg(kSparse)->Arg(kSome)->Arg(kDense);

}  // namespace
}  // namespace hdbench::bench

BENCHMARK_MAIN();
