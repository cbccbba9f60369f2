// What the emulator must know of this host, measured with the ceilings' loops.
#pragma once

#include <cstdint>

#include "bench/host.h"
#include "bench/one_pool.h"
#include "engine/base/result.h"
#include "pmem/emulator/host_calibration.h"

namespace hdbench {

// On one thread and on all: medians of three rounds, two or three seconds in all. Errors: kData
// where the memory is not available; kMismatch for a wrong answer.
Result<HostCalibration> calibrate_host(OnePool& pools);

}  // namespace hdbench
