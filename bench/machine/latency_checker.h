// Intel's Memory Latency Checker (mlc), where it is installed: a second opinion on memory under
// load. It is not part of hdbench and is run as it is.
#pragma once

#include <string>
#include <string_view>

#include "bench/base/layers.h"
#include "bench/machine/load_probe.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Of what `mlc --loaded_latency` prints: a line for each load of its delay, ns and MB/s. Rising by
// GB/s; none where it prints no such lines.
std::vector<LoadPoint> parse_loaded_latency(std::string_view text);

// Of what `mlc --peak_injection_bandwidth` prints: MB/s of all reads and of 3, 2 and 1 reads for a
// write, as GB/s. Rising by the share of reads.
std::vector<MixPoint> parse_peak_bandwidth(std::string_view text);

// Runs both, for a minute or two. Empty: there is no mlc. Errors: kData: it ended with another
// status than 0, or printed no figures.
Result<LoadCurves> run_latency_checker();

}  // namespace hdbench::bench
