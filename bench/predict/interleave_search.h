// The weights of an interleave at which a set of queries takes the least time:
// cxl:P+interleave=auto.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/predict/query_recordings.h"
#include "pmem/base/medium_spec.h"

namespace hdbench::bench {

// The pages near the CPUs for those on the device, at which `ms_at` (of the share of local pages)
// is least. It falls and then rises, as the busier side decides. Of weights that are as good within
// a thousandth, the smallest.
InterleaveRatio least_interleave(const std::function<double(double local_share)>& ms_at);

// The word with weights in place of `auto`: of the medians of all queries together, recorded in
// DRAM. Without a profile the memory of its nodes is measured. What lies locally is charged as the
// word's `local` profile has it, else as this machine's memory was measured. Errors: kData where
// this machine has no such nodes; those of a recording.
Result<std::string> with_best_interleave(Session& session, const std::vector<ListedQuery>& queries,
                                         const Setting& setting, MediumSpec word);

}  // namespace hdbench::bench
