// Which columns to keep in which memory: recorded once in DRAM (bench/predict), solved exactly
// (placement_problem.h), and the answer replayed.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "bench/advise/tiers.h"
#include "bench/base/layers.h"
#include "bench/results/forecasts.h"
#include "bench/run/session.h"

namespace hdbench::bench {

struct AdviceQuestion {
  std::vector<Tier> tiers;
  std::map<int, double> weights;   // by query; 1 where there is none
  std::optional<double> slowdown;  // 0.15: so much longer at most, of all queries by weight
  std::optional<double> budget;    // of the tiers' currency
  std::size_t newest = 0;          // partitions that may lie apart from the older ones; 0: none
  double size = 1;                 // times as much data as there is
  std::size_t repetitions = 5;
};

// Errors: those of prediction; kUsage: a weight of a query that there is none, or a limit that no
// placement holds, with the nearest that one does.
Result<Advice> advise(Session& session, const std::vector<ListedQuery>& queries,
                      const Setting& setting, const AdviceQuestion& question);

// The flags that run it, as `run` and `query` take them: the columns of every tier but the one that
// holds most, whose medium is --medium's.
Advice::Run run_of(const Advice& advice);

}  // namespace hdbench::bench
