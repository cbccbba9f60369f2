#include "bench/results/scaling.h"

#include <algorithm>
#include <set>

namespace hdbench {

std::vector<std::size_t> thread_counts(const std::vector<CellResult>& cells) {
  std::set<std::size_t> counts;
  for (const CellResult& cell : cells) counts.insert(cell.setting.threads);
  return {counts.begin(), counts.end()};
}

Scaling scaling_of(double few_ms, std::size_t few_threads, double ms, std::size_t threads) {
  const double speedup = few_ms / ms;
  const double widening = static_cast<double>(threads) / static_cast<double>(few_threads);
  return {speedup, 100 * speedup / widening};
}

std::optional<Scaling> scaling_of(const CellResult& few, const CellResult& cell) {
  const std::optional<double> few_ms = median_ms(few);
  const std::optional<double> ms = median_ms(cell);
  if (!few_ms || !ms || *few_ms <= 0 || *ms <= 0) return std::nullopt;
  return scaling_of(*few_ms, few.setting.threads, *ms, cell.setting.threads);
}

std::optional<Saturation> saturation_of(const MemoryCeilings& memory) {
  constexpr double kAsFast = 0.95;
  double best = 0;
  for (const ThreadCeilings& one : memory.by_threads) best = std::max(best, one.read_gb_s.median);
  for (const ThreadCeilings& one : memory.by_threads) {
    if (one.read_gb_s.median < kAsFast * best) continue;
    return Saturation{one.threads, one.read_gb_s.median, &one == &memory.by_threads.back()};
  }
  return std::nullopt;
}

}  // namespace hdbench
