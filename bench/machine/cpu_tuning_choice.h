// Chooses this machine's strategy of prefetching (engine/kernel/cpu_tuning.h) by timing each.
#pragma once

#include <cstdint>

#include "engine/kernel/cpu_tuning.h"

namespace hdbench::bench {

// Scans memory that exceeds caches of `cache_bytes` on one thread, a few times under each strategy
// in turn. Returns the fastest, or the plainest where the memory is not available. Afterwards the
// plainest is in use.
const CpuTuning& fastest_cpu_tuning(std::uint64_t cache_bytes);

}  // namespace hdbench::bench
