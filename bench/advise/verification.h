// Runs an advice: its queries in DRAM, and with their columns where the advice puts them, on
// emulated tiers.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/advise/advice.h"
#include "bench/base/layers.h"
#include "bench/run/session.h"

namespace hdbench::bench {

// Sets what was measured, the medians of so many rounds. setting: the advice's. A tier that is a
// disk is cold before each run. Errors: those of the session and of the queries; kMismatch: a
// query's result differs between the placements.
Status verify(Session& session, const std::vector<ListedQuery>& queries, Setting setting,
              std::size_t rounds, Advice& advice);

}  // namespace hdbench::bench
