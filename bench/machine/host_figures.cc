#include "bench/machine/host_figures.h"

#include <algorithm>
#include <vector>

#include "bench/machine/memory_ceilings.h"

namespace hdbench::bench {

Result<HostCalibration> calibrate_host(OnePool& pools, std::size_t buffer_bytes) {
  constexpr std::size_t kRounds = 3;
  MemoryProbe probe(buffer_bytes > 0 ? buffer_bytes : probe_bytes(read_host(pools.all_threads())));
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

}  // namespace hdbench::bench
