// Random queries over small random tables, each result against the row-at-a-time reference.
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/exec/execute.h"
#include "engine/testing/row_reference.h"
#include "engine/testing/thread_ranks.h"
#include "queries/query.h"
#include "queries/testing/random_query.h"
#include "queries/testing/random_tables.h"

namespace hdbench::queries {
namespace {

constexpr std::uint64_t kTables = 30;
constexpr std::uint64_t kQueriesOfTables = 60;

struct Tally {
  std::uint64_t drawn = 0;
  std::uint64_t ran = 0;
};

std::vector<ThreadPool*> pools_of_test() {
  static ThreadPool one(1);
  static ThreadPool two(2);
  return {&one, &two};
}

// Whether the query runs; then with each mode and number of threads the result is the reference's.
bool agrees_or_is_refused(const std::string& text, const TablePair& tables) {
  const auto query = parse_query(text);
  if (!query.ok()) return false;
  const FindTable find = [&](const std::string& name) -> Result<const Table*> {
    return &tables.named(name);
  };
  const auto bound = bind(*query, {find});
  if (!bound.ok()) return false;
  Workspace workspace(0, *std::pmr::new_delete_resource());
  std::optional<PlainResult> expected;
  for (ThreadPool* pool : pools_of_test()) {
    for (const Mode mode : {Mode::k36, Mode::k40}) {
      ExecuteSettings settings;
      settings.mode = mode;
      const auto result = execute(*bound->table, *bound->plan, settings, *pool, workspace);
      if (!expected && !result.ok()) return false;
      REQUIRE(result.ok());
      if (!expected) expected = run_by_rows(*bound->table, *bound->plan);
      CHECK(first_difference(to_plain(*result), *expected) == kNoDifference);
    }
  }
  const auto shared = testing::execute_by_ranks(*bound->table, *bound->plan, {}, 3,
                                                testing::Sharing::kRoundRobin, workspace);
  REQUIRE(shared.ok());
  CHECK(first_difference(to_plain(*shared), *expected) == kNoDifference);
  return true;
}

}  // namespace

TEST_CASE("random queries over small tables agree with the row-at-a-time reference") {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    Dice dice(seed);
    const std::uint64_t rows_max = seed % 5 == 0 ? seed / 5 % 2 : 3 * (seed % 5);
    const TablePair parted = random_pair(dice, rows_max);
    const TablePair flat = flat_pair(parted, *pools_of_test().front());
    for (std::uint64_t q = 0; q < kQueriesOfTables; ++q) {
      const std::string text = random_query(dice, kTradeText, kQuoteText, 2);
      const bool is_flat = dice() % 3 == 0;
      INFO("seed " << seed << " query " << q << (is_flat ? ", flat: " : ": ") << text);
      ++tally.drawn;
      if (agrees_or_is_refused(text, is_flat ? flat : parted)) ++tally.ran;
    }
  }
  CHECK(tally.drawn >= 500);
  CHECK(tally.ran * 10 >= tally.drawn * 9);
}

}  // namespace hdbench::queries
