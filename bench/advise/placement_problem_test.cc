#include "bench/advise/placement_problem.h"

#include <cmath>
#include <random>

#include "bench/base/child_process.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

bool has_solver() {
  if (has_command("glpsol")) return true;
  WARN("glpsol is not there: placements are not solved");
  return false;
}

PlacementProblem two_tiers() {
  PlacementProblem problem;
  problem.tiers = {{"DRAM", "dram", {}, 30, 0, ""}, {"CXL", "cxl:cxl-cz122", {}, 10, 0, ""}};
  problem.items = {{"t", "a", 1'000'000'000}, {"t", "b", 2'000'000'000}};
  problem.queries = {{1, 1, 100, {{0, 30}, {0, 10}}, {{0, 0}, {0, 0}}}};
  return problem;
}

TEST_CASE("a query's time is a sum, and no less than its tier is busy") {
  PlacementProblem problem = two_tiers();
  CHECK(problem.query_ms(0, {0, 0}) == 100);
  CHECK(problem.query_ms(0, {1, 1}) == 140);
  problem.queries[0].busy_ms = {{0, 100}, {0, 90}};
  CHECK(problem.query_ms(0, {1, 1}) == 190);
  CHECK(problem.query_ms(0, {1, 0}) == 130);
  CHECK(problem.price({0, 1}) == Approx(30 + 20));
}

TEST_CASE("the cheapest within a time, and the fastest within a price") {
  if (!has_solver()) return;
  const PlacementProblem problem = two_tiers();
  using Tiers = std::vector<std::size_t>;
  CHECK(**best_placement(problem, {100, {}}) == Tiers{0, 0});
  CHECK(**best_placement(problem, {110, {}}) == Tiers{0, 1});
  CHECK(**best_placement(problem, {HUGE_VAL, {}}) == Tiers{1, 1});
  CHECK(**best_placement(problem, {{}, 89.0}) == Tiers{0, 1});
  CHECK(**best_placement(problem, {{}, HUGE_VAL}) == Tiers{0, 0});
  CHECK_FALSE(best_placement(problem, {{}, 29.0})->has_value());
  CHECK_FALSE(best_placement(problem, {99, {}})->has_value());
}

TEST_CASE("capacities hold, what a tier costs once counts, and newer data are no later") {
  if (!has_solver()) return;
  PlacementProblem problem = two_tiers();
  using Tiers = std::vector<std::size_t>;
  problem.tiers[1].capacity_bytes = 1'500'000'000;
  CHECK(**best_placement(problem, {HUGE_VAL, {}}) == Tiers{1, 0});
  problem.tiers[0].capacity_bytes = 1'500'000'000;
  CHECK_FALSE(best_placement(problem, {HUGE_VAL, {}})->has_value());
  problem = two_tiers();
  problem.tiers[1].price_once = 61;  // more than the two columns save
  CHECK(**best_placement(problem, {HUGE_VAL, {}}) == Tiers{0, 0});
  problem = two_tiers();
  problem.queries[0].added_ms = {{0, 0}, {0, 50}};
  CHECK(**best_placement(problem, {110, {}}) == Tiers{1, 0});
  problem.newer = {{0, 1}};  // the first is newer than the second
  CHECK(**best_placement(problem, {110, {}}) == Tiers{0, 0});
}

// Every placement is tried.
std::optional<double> best_of_all(const PlacementProblem& problem, const PlacementLimit& limit) {
  std::optional<double> best;
  std::vector<std::size_t> placed(problem.items.size(), 0);
  for (;;) {
    const double time = problem.time_ms(placed);
    const double price = problem.price(placed);
    const bool holds =
        limit.time_ms ? time <= *limit.time_ms * (1 + 1e-9) : price <= *limit.price * (1 + 1e-9);
    const double measure = limit.time_ms ? price : time;
    if (holds && problem.is_allowed(placed) && (!best || measure < *best)) best = measure;
    std::size_t i = 0;
    while (i < placed.size() && ++placed[i] == problem.tiers.size()) placed[i++] = 0;
    if (i == placed.size()) return best;
  }
}

PlacementProblem random_problem(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto real = [&](double most) {
    return std::uniform_real_distribution<double>(0, most)(random);
  };
  PlacementProblem problem;
  const std::size_t tiers = 2 + below(2);
  // Three tiers and twelve columns are half a million placements.
  const std::size_t items = 1 + below(tiers == 2 ? 12 : 8);
  for (std::size_t t = 0; t < tiers; ++t) {
    Tier tier{std::to_string(t), "m", {}, real(30), below(3) == 0 ? real(100) : 0, ""};
    if (below(3) == 0) tier.capacity_bytes = (1 + below(20)) * 1'000'000'000;
    problem.tiers.push_back(tier);
  }
  for (std::size_t i = 0; i < items; ++i)
    problem.items.push_back({"t", std::to_string(i), (1 + below(5000)) * 1'000'000});
  if (items > 2 && below(2) == 0) problem.newer = {{0, 1}};
  for (std::size_t q = 0; q < 1 + below(5); ++q) {
    WeighedQuery query{static_cast<int>(q), 1 + real(5), 1 + real(100), {}, {}};
    for (std::size_t i = 0; i < items; ++i) {
      std::vector<double> added(tiers, 0), busy(tiers, 0);
      for (std::size_t t = 1; t < tiers; ++t) {
        added[t] = below(2) == 0 ? 0 : real(50);
        busy[t] = below(2) == 0 ? 0 : real(60);
      }
      query.added_ms.push_back(added);
      query.busy_ms.push_back(busy);
    }
    problem.queries.push_back(query);
  }
  return problem;
}

TEST_CASE("the solver finds what an exhaustive search does, of 200 random problems") {
  if (!has_solver()) return;
  std::mt19937_64 random(20261129);
  int solved = 0;
  for (int k = 0; k < 200; ++k) {
    const PlacementProblem problem = random_problem(random);
    const double share = std::uniform_real_distribution<double>(0, 2)(random);
    PlacementLimit limit;
    if (k % 2 == 0) {
      limit.time_ms = problem.dram_ms() * (1 + share);
    } else {
      limit.price = 10 + 100 * share;
    }
    const std::optional<double> best = best_of_all(problem, limit);
    const auto found = best_placement(problem, limit);
    REQUIRE(found.ok());
    REQUIRE(found->has_value() == best.has_value());
    if (!best) continue;
    ++solved;
    REQUIRE(problem.is_allowed(**found));
    const double measure = limit.time_ms ? problem.price(**found) : problem.time_ms(**found);
    // The other measure decides between equals, and counts a millionth.
    REQUIRE(measure == Approx(*best).epsilon(1e-4));
  }
  CHECK(solved > 100);
}

}  // namespace
}  // namespace hdbench::bench
