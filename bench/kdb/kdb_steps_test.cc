#include "bench/kdb/kdb_steps.h"

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "engine/exec/execute.h"
#include "queries/query.h"
#include "queries/testing/two_tables.h"

namespace hdbench::bench {
namespace {

Status run_plan(const Table* table, const Plan& plan,
                const std::function<void(const ResultTable&)>& use) {
  ThreadPool pool(2);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  const Table& over = table != nullptr ? *table : trade();
  HDB_ASSIGN(const ResultTable result, execute(over, plan, {}, pool, workspace));
  use(result);
  return ok_status();
}

BoundQuery bound_to_two(const std::string& text) {
  const auto query = parse_query(text);
  REQUIRE(query.ok());
  BindTables tables;
  tables.find = [](const std::string& name) -> Result<const Table*> {
    return name == "trade" ? &trade() : &quote();
  };
  auto bound = bind(*query, tables);
  REQUIRE(bound.ok());
  return *bound;
}

KdbSteps steps_of(const std::string& text) {
  INFO(text);
  const BoundQuery bound = bound_to_two(text);
  auto steps = count_steps(bound.table, *bound.plan, run_plan);
  REQUIRE(steps.ok());
  return std::move(*steps);
}

using Rows = std::vector<std::uint64_t>;

TEST_CASE("rows are counted after each condition in each partition") {
  const KdbSteps all = steps_of("select from trade where sym=`a, price>1");
  REQUIRE(all.parts.size() == 2);
  CHECK((all.parts[0].rows == 4 && all.parts[0].left == Rows{3, 2}));
  CHECK((all.parts[1].rows == 3 && all.parts[1].left == Rows{1, 1}));
  CHECK((all.found() == 3 && all.rows == 3 && all.groups == 0));

  const KdbSteps day = steps_of("select from trade where date=2020.01.02, size=2");
  REQUIRE(day.parts.size() == 1);
  CHECK((day.parts[0].rows == 3 && day.parts[0].left == Rows{3, 2}));
  // No partition is left.
  const KdbSteps none = steps_of("select from trade where date=2021.01.02");
  CHECK((none.parts.size() == 1 && none.found() == 0));
}

TEST_CASE("groups are counted by partition and in all") {
  const KdbSteps over_days = steps_of("select max price by sym from trade");
  CHECK((over_days.parts[0].groups == 2 && over_days.parts[1].groups == 3));
  CHECK((over_days.groups == 3 && over_days.rows == 3));
  const KdbSteps by_day = steps_of("select max price by date,sym from trade");
  CHECK((by_day.groups == 5 && by_day.rows == 5));
  const KdbSteps days = steps_of("select count i by date from trade");
  CHECK((days.parts[0].groups == 1 && days.groups == 2));
  const KdbSteps different = steps_of("select distinct size from trade where sym=`a");
  CHECK((different.parts[0].groups == 2 && different.groups == 3 && different.rows == 3));
}

TEST_CASE("the sides of a join and the queries of conditions have steps of their own") {
  const KdbSteps join = steps_of(
      "aj[`sym`time; select sym,time,price from trade where date=2020.01.01; "
      "select sym,time,bid from quote where date=2020.01.01]");
  REQUIRE((join.left && join.right));
  CHECK((join.left->rows == 4 && join.right->rows == 4));
  CHECK((join.parts.size() == 1 && join.parts[0].rows == 4 && join.rows == 4));
  const KdbSteps nested = steps_of(
      "select from trade where date=2020.01.01, sym in exec sym from quote where date=2020.01.02");
  REQUIRE(nested.condition_queries.size() == 1);
  CHECK(nested.condition_queries[0]->rows == 2);
  CHECK(nested.parts[0].left == Rows{4, 4});
}

TEST_CASE("a guess spreads what is told over the partitions") {
  const BoundQuery bound =
      bound_to_two("select max price by sym from trade where date>2020.01.01, size>100");
  const KdbSteps steps = guess_steps(*bound.plan, true, {10, 3, 4, 2});
  REQUIRE(steps.parts.size() == 3);
  CHECK((steps.parts[0].rows == 4 && steps.parts[0].left == Rows{4, 2}));
  CHECK((steps.parts[2].rows == 3 && steps.parts[2].left == Rows{3, 1}));
  CHECK((steps.parts[0].groups == 2 && steps.parts[2].groups == 1));
  CHECK((steps.groups == 2 && steps.rows == 2));
}

}  // namespace
}  // namespace hdbench::bench
