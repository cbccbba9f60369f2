// Which columns to keep in which memory: recorded once in DRAM (bench/predict), solved exactly
// (placement_problem.h), and the answer replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/advise/placement_problem.h"
#include "bench/advise/tiers.h"
#include "bench/base/layers.h"
#include "bench/predict/prediction.h"

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

struct AdvisedQuery {
  int id = 0;
  std::string name;
  double weight = 1;
  double dram_ms = 0;
  double placed_ms = 0;                         // replayed
  std::optional<double> measured_dram_ms = {};  // where the advice was run
  std::optional<double> measured_ms = {};
};

struct FrontierPoint {
  double slowdown = 0;  // of all queries by weight, as the programme reckons
  double price = 0;
  std::vector<std::uint64_t> bytes_by_tier;
};

struct VerifiedTimes {  // of all queries by weight, measured
  double dram_ms = 0;
  double placed_ms = 0;
  double slowdown() const { return placed_ms / dram_ms - 1; }
};

struct Advice {
  std::string machine;   // in words
  std::string database;  // its root
  Setting setting;
  AdviceQuestion question;
  PlacementProblem problem;
  std::vector<std::size_t> tier_of_item;
  std::vector<AdvisedQuery> queries;
  std::vector<std::uint64_t> bytes_by_tier;
  double price = 0;
  double dram_price = 0;  // of everything in DRAM
  double dram_ms = 0;
  double placed_ms = 0;
  std::optional<VerifiedTimes> verified;
  std::vector<FrontierPoint> frontier;  // from the dearest to the cheapest

  double slowdown() const { return placed_ms / dram_ms - 1; }
};

// Errors: those of prediction; kUsage: a weight of a query that there is none, or a limit that no
// placement holds, with the nearest that one does.
Result<Advice> advise(Session& session, const std::vector<ListedQuery>& queries,
                      const Setting& setting, const AdviceQuestion& question);

// As --place takes them, one a flag: the columns of every tier but the one that holds most, whose
// medium is --medium's.
struct PlaceFlags {
  std::string medium;
  std::vector<std::string> places;
};
PlaceFlags place_flags(const Advice& advice);

}  // namespace hdbench::bench
