// Every aggregate over tables of few and of many groups, against the row-at-a-time reference.
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/operator/aggregator.h"
#include "engine/testing/row_reference.h"

using namespace hdbench;

namespace {

constexpr std::size_t kSym = 0, kKey = 1, kPrice = 2, kSize = 3, kRate = 4;

// Each of `groups` symbols, and of as many longs far apart, has some rows.
std::shared_ptr<Table> table_of(std::size_t groups, std::uint64_t rows) {
  std::mt19937_64 random(groups + 1);
  std::vector<std::string> texts;
  for (std::size_t g = 0; g < std::max<std::size_t>(groups, 1); ++g)
    texts.push_back(fmt::format("s{}", g));
  const auto domain = make_domain("sym", texts);
  std::vector<std::int32_t> codes(rows);
  std::vector<std::int64_t> keys(rows), sizes(rows);
  std::vector<double> prices(rows);
  std::vector<float> rates(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    codes[row] = static_cast<std::int32_t>(row < groups ? row : random() % groups);
    keys[row] = codes[row] * std::int64_t{1000003};
    sizes[row] = random() % 20 == 0 ? kNullLong : static_cast<std::int64_t>(random() % 100000);
    prices[row] = random() % 30 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : static_cast<double>(random() % 10000) / 100;
    rates[row] = static_cast<float>(random() % 1000) / 8;
  }
  Schema schema;
  schema.partitioned = false;
  schema.fields = {{"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"key", QType::kLong, Attribute::kNone, nullptr},
                   {"price", QType::kFloat, Attribute::kNone, nullptr},
                   {"size", QType::kLong, Attribute::kNone, nullptr},
                   {"rate", QType::kReal, Attribute::kNone, nullptr}};
  MemoryTable::Part part;
  part.columns.push_back(make_column<std::int32_t>(QType::kSymbol, codes, domain));
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, keys));
  part.columns.push_back(make_column<double>(QType::kFloat, prices));
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, sizes));
  part.columns.push_back(make_column<float>(QType::kReal, rates));
  return std::make_shared<MemoryTable>("quote", schema,
                                       std::vector<MemoryTable::Part>{std::move(part)});
}

// Rows of prices up to `percent` are selected.
Plan plan_of(const std::vector<std::size_t>& by, int percent) {
  Plan plan;
  for (const std::size_t field : by) plan.by.push_back({fmt::format("k{}", field), field});
  if (percent < 100) plan.where.push_back({"c", kSize, RangeTest{0, percent * 1000 - 1}, false});
  for (const std::size_t field : {kPrice, kSize, kRate}) {
    for (const Aggregate aggregate :
         {Aggregate::kCount, Aggregate::kSum, Aggregate::kAvg, Aggregate::kMin, Aggregate::kMax,
          Aggregate::kFirst, Aggregate::kLast, Aggregate::kWavg, Aggregate::kDev,
          Aggregate::kMed}) {
      Output output{fmt::format("o{}", plan.outputs.size()), aggregate, field, std::nullopt};
      if (aggregate == Aggregate::kWavg) output.weights = kSize;
      plan.outputs.push_back(output);
    }
  }
  return plan;
}

}  // namespace

TEST_CASE("all aggregates agree with the reference for few groups and for many") {
  ThreadPool one(1);
  ThreadPool two(2);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  for (const std::size_t groups : {0, 1, 2, 255, 257}) {
    const std::uint64_t rows = groups == 0 ? 0 : 20000;
    const auto table = table_of(groups, rows);
    for (const int percent : {0, 1, 10, 50, 90, 100}) {
      for (const auto& by : std::vector<std::vector<std::size_t>>{{}, {kSym}, {kKey}}) {
        const Plan plan = plan_of(by, percent);
        INFO(groups << " groups, " << percent << " percent, " << by.size() << " keys");
        const PlainResult expected = run_by_rows(*table, plan);
        for (ThreadPool* const pool : {&one, &two}) {
          const auto result = execute(*table, plan, {}, *pool, workspace);
          REQUIRE(result.ok());
          REQUIRE(first_difference(to_plain(*result), expected) == kNoDifference);
        }
      }
    }
  }
}

TEST_CASE("too little workspace ends an aggregate, gives all back, and the next query is right") {
  ThreadPool two(2);
  const auto table = table_of(65537, 2 * 65537);
  for (const auto& by : std::vector<std::vector<std::size_t>>{{kSym}, {kKey}}) {
    const Plan plan = plan_of(by, 100);
    std::uint64_t peak = 0;
    {
      Workspace workspace(0, *std::pmr::new_delete_resource());
      REQUIRE(execute(*table, plan, {}, two, workspace).ok());
      peak = workspace.peak_bytes();
    }
    Workspace workspace(peak / 8, *std::pmr::new_delete_resource());
    const auto stopped = execute(*table, plan, {}, two, workspace);
    REQUIRE_FALSE(stopped.ok());
    REQUIRE(stopped.error().kind == ErrorKind::kLimit);
    REQUIRE(workspace.used_bytes() == 0);
    Plan small = plan_of({}, 100);
    small.outputs.resize(1);
    REQUIRE(execute(*table, small, {}, two, workspace).ok());
  }
}
