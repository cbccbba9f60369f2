// Converts the results of storage primitives to a device profile for the emulator (profile_json.h).
#pragma once

#include "bench/machine/disk_probe.h"
#include "bench/storage/io_run.h"

namespace hdbench::bench {

// Before the run: whether its tests are those that profile_of() wants. Errors: kUsage, naming one
// that --tests leaves out.
Status check_profile_tests(const IoOptions& options);

// The cold sequential reads through mmap by process count, pages read at random with MADV_RANDOM,
// blocks of 1 MiB written past the page cache, and one process's O_DIRECT page as the latency. What
// files give that nothing reads ahead is not measured here (bench/machine/disk_probe.h measures
// it): emulated, a disk whose queue has to be full for its rate is too fast. Errors: kData, naming
// the test that is missing or was no result.
Result<ProbedDevice> profile_of(const IoRun& run);

}  // namespace hdbench::bench
