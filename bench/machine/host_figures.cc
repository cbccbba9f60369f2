#include "bench/machine/host_figures.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <vector>

#include "bench/machine/memory_ceilings.h"
#include "engine/kernel/ids.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kTuningRounds = 3;
constexpr std::uint64_t kScannedMin = std::uint64_t{64} << 20;
constexpr std::uint64_t kScannedMax = std::uint64_t{512} << 20;

// Of codes of eight bytes, cut to ids a morsel at a time: what most queries spend their time on.
double scan_s(std::span<const std::byte> codes) {
  constexpr std::size_t kRows = 65536;
  std::vector<std::byte> ids(kRows);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t at = 0; at < codes.size(); at += kRows * sizeof(std::uint64_t))
    to_ids({sizeof(std::uint64_t), codes.data() + at, kRows}, 0, 1, ids.data());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Result<HostCalibration> calibrate_host(OnePool& pools, std::size_t buffer_bytes,
                                       const RegionSource& source) {
  constexpr std::size_t kRounds = 3;
  MemoryProbe probe(buffer_bytes > 0 ? buffer_bytes : probe_bytes(read_host(pools.all_threads())),
                    source);
  HostCalibration host;
  std::vector<std::size_t> counts{1};
  if (pools.all_threads() > 1) counts.push_back(pools.all_threads());
  for (const std::size_t threads : counts) {
    std::vector<MemoryRound> rounds;
    for (std::size_t k = 0; k < kRounds; ++k) {
      HDB_ASSIGN(const MemoryRound round, probe.measure(pools.of(threads)));
      rounds.push_back(round);
    }
    const ThreadCeilings figures = summarise_rounds(threads, rounds);
    const auto at = static_cast<double>(threads);
    host.read.points.push_back({at, figures.read_gb_s.median});
    host.write.points.push_back({at, figures.stream_gb_s.median});
    host.copy.points.push_back({at, figures.copy_gb_s.median});
    if (threads == 1) host.chase_ns = figures.chase_ns.median;
  }
  return host;
}

const CpuTuning& fastest_cpu_tuning(std::uint64_t cache_bytes) {
  const std::uint64_t bytes = std::clamp(std::bit_ceil(2 * cache_bytes), kScannedMin, kScannedMax);
  const auto region = map_huge_memory(bytes);
  if (!region.ok()) return kCpuTunings[0];
  // Written, as pages that were not are all one page of zeros.
  std::fill(region->bytes.begin(), region->bytes.end(), std::byte{0});
  const CpuTuning* fastest = &kCpuTunings[0];
  double least_s = std::numeric_limits<double>::infinity();
  for (std::size_t round = 0; round < kTuningRounds; ++round) {
    for (const CpuTuning& tuning : kCpuTunings) {
      set_cpu_tuning(tuning);
      const double took_s = scan_s(region->bytes);
      if (took_s < least_s) fastest = &tuning;
      least_s = std::min(least_s, took_s);
    }
  }
  set_cpu_tuning(kCpuTunings[0]);
  return *fastest;
}

}  // namespace hdbench::bench
