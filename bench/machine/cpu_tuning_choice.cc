#include "bench/machine/cpu_tuning_choice.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "engine/kernel/scan.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench {
namespace {

constexpr std::size_t kTuningRounds = 3;
constexpr std::uint64_t kScannedMin = std::uint64_t{64} << 20;
constexpr std::uint64_t kScannedMax = std::uint64_t{512} << 20;

// Of all rows, read as codes of eight bytes.
double scan_s(std::span<const std::byte> values, std::vector<std::uint64_t>& bits) {
  const std::uint64_t wanted[] = {1};
  const ScanTarget target{bits.data(), values.size() / sizeof(std::uint64_t)};
  const auto begin = std::chrono::steady_clock::now();
  scan_codes(sizeof(std::uint64_t), values.data(), wanted, {}, target);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

const CpuTuning& fastest_cpu_tuning(std::uint64_t cache_bytes) {
  const std::uint64_t bytes = std::clamp(2 * cache_bytes, kScannedMin, kScannedMax);
  const auto region = map_huge_memory(bytes);
  if (!region.ok()) return kCpuTunings[0];
  // Written, as pages that were not are all one page of zeros.
  std::fill(region->bytes.begin(), region->bytes.end(), std::byte{0});
  std::vector<std::uint64_t> bits(bytes / sizeof(std::uint64_t) / 64);
  const CpuTuning* fastest = &kCpuTunings[0];
  double least_s = std::numeric_limits<double>::infinity();
  for (std::size_t round = 0; round < kTuningRounds; ++round) {
    for (const CpuTuning& tuning : kCpuTunings) {
      set_cpu_tuning(tuning);
      const double took_s = scan_s(region->bytes, bits);
      if (took_s < least_s) fastest = &tuning;
      least_s = std::min(least_s, took_s);
    }
  }
  set_cpu_tuning(kCpuTunings[0]);
  return *fastest;
}

}  // namespace hdbench
