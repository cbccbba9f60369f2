// What is measured of the host beforehand: its figures for the emulator, with the ceilings' loops,
// and its strategy of prefetching (engine/kernel/cpu_tuning.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/base/layers.h"
#include "bench/base/one_pool.h"
#include "bench/machine/host.h"
#include "engine/base/result.h"
#include "engine/kernel/cpu_tuning.h"
#include "pmem/emulator/device_account.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {

// On one thread and on all: medians of three rounds, two or three seconds in all, over buffers of
// so many bytes (0: as the ceilings', larger than the caches). Errors: kData where the memory is
// not available; kMismatch for a wrong answer.
Result<HostCalibration> calibrate_host(OnePool& pools, std::size_t buffer_bytes = 0,
                                       const RegionSource& source = map_huge_memory);

// Scans memory that exceeds caches of `cache_bytes` on one thread, a few times under each strategy
// in turn. Returns the fastest, or the plainest where the memory is not available. Afterwards the
// plainest is in use.
const CpuTuning& fastest_cpu_tuning(std::uint64_t cache_bytes);

}  // namespace hdbench::bench
