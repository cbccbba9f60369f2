// Which column lies where, as numbers: what each placement costs in money and in time.
//
// An item is what is placed whole: a column of a table, or of its newest partitions or the others.
// A query's time is that of all items in DRAM, and for each item elsewhere what it adds there; and
// never less than what the queries' bytes take on a tier of all items there. Both are sums, so that
// the best placement is a small integer programme.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/advise/tiers.h"
#include "bench/base/layers.h"

namespace hdbench::bench {

struct PlacedItem {
  std::string table;
  std::string column;
  std::uint64_t bytes = 0;
};

struct WeighedQuery {
  int id = 0;
  double weight = 1;
  double dram_ms = 0;
  // By item and tier: what it adds to the time, and how long the tier itself is busy for it.
  std::vector<std::vector<double>> added_ms;
  std::vector<std::vector<double>> busy_ms;
};

struct PlacementProblem {
  std::vector<Tier> tiers;
  std::vector<PlacedItem> items;
  std::vector<WeighedQuery> queries;
  // Pairs of items of which the first, the newer, never lies on a later tier than the second.
  std::vector<std::pair<std::size_t, std::size_t>> newer;

  double query_ms(std::size_t query, const std::vector<std::size_t>& tier_of_item) const;
  // Of all queries by their weights.
  double time_ms(const std::vector<std::size_t>& tier_of_item) const;
  double dram_ms() const;
  double price(const std::vector<std::size_t>& tier_of_item) const;
  // Whether capacities hold and newer items lie no later than older ones.
  bool is_allowed(const std::vector<std::size_t>& tier_of_item) const;
};

// One of the two is given, and may be infinite: the cheapest placement within a time, or the
// fastest within a price.
struct PlacementLimit {
  std::optional<double> time_ms;
  std::optional<double> price;
};

// The best placement, by the solver glpsol (GLPK), exactly; of equal ones the other measure
// decides. Nothing: none holds the limit and the capacities. Errors: kData: there is no glpsol, or
// it fails.
Result<std::optional<std::vector<std::size_t>>> best_placement(const PlacementProblem& problem,
                                                               const PlacementLimit& limit);

// The integer programme in the LP format of CPLEX, which glpsol reads. Its first variables are the
// binaries x of item and tier, tier fastest.
std::string programme_text(const PlacementProblem& problem, const PlacementLimit& limit);

}  // namespace hdbench::bench
