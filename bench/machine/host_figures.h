// Calibrates the host for the emulator, with the ceilings' loops.
#pragma once

#include <cstddef>

#include "bench/base/layers.h"
#include "bench/base/one_pool.h"
#include "bench/machine/host.h"
#include "engine/base/result.h"
#include "pmem/emulator/host_calibration.h"

namespace hdbench::bench {

// On one thread and on all: medians of three rounds, two or three seconds in all, over buffers of
// so many bytes (0: as the ceilings', larger than the caches). Errors: kData where the memory is
// not available; kMismatch for a wrong answer.
Result<HostCalibration> calibrate_host(OnePool& pools, std::size_t buffer_bytes = 0);

}  // namespace hdbench::bench
