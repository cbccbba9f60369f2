// Queries with so many groups that their rows are spread over ranges of keys, against the
// reference.
#include "engine/exec/spread_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/exec/query_input.h"
#include "engine/testing/row_reference.h"

using namespace hdbench;

namespace {

using GuidBytes = std::array<std::uint8_t, 16>;
constexpr std::size_t kDay = 0, kSym = 1, kKey = 2, kTime = 3, kId = 4, kRate = 5, kPrice = 6,
                      kSize = 7;
constexpr std::size_t kSymbols = 30'000;

// Symbols whose texts are in another order than their codes.
std::shared_ptr<const Domain> many_symbols() {
  std::vector<std::string> texts;
  for (std::size_t code = 0; code < kSymbols; ++code)
    texts.push_back(fmt::format("s{}", code * 7919 % kSymbols));
  return make_domain("sym", texts);
}

// `rises`: rows are in the order of the keys, and of times as well.
MemoryTable::Part part_of(std::mt19937_64& random, std::size_t rows,
                          const std::shared_ptr<const Domain>& domain, bool rises) {
  std::vector<std::int32_t> codes(rows), times(rows);
  std::vector<std::int64_t> keys(rows), sizes(rows);
  std::vector<GuidBytes> ids(rows);
  std::vector<float> rates(rows);
  std::vector<double> prices(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    codes[row] = static_cast<std::int32_t>(random() % kSymbols);
    times[row] = static_cast<std::int32_t>(random() % 86'400'000);
    const std::uint64_t key = random();
    keys[row] = key % 50 == 0 ? kNullLong : static_cast<std::int64_t>(key >> (key % 60));
    for (std::size_t i = 0; i < 16; i += 5) ids[row][i] = static_cast<std::uint8_t>(random());
    rates[row] = static_cast<float>(random() % 4'000'000) / 16 - 1000;
    prices[row] = random() % 30 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : static_cast<double>(random() % 10'000) / 100;
    sizes[row] = random() % 20 == 0 ? kNullLong : static_cast<std::int64_t>(random() % 100'000);
  }
  if (rises) std::sort(keys.begin(), keys.end());
  if (rises) std::sort(times.begin(), times.end());
  MemoryTable::Part part;
  part.columns.push_back(make_column<std::int32_t>(QType::kSymbol, codes, domain));
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, keys));
  part.columns.push_back(make_column<std::int32_t>(QType::kTime, times));
  part.columns.push_back(make_column<GuidBytes>(QType::kGuid, ids));
  part.columns.push_back(make_column<float>(QType::kReal, rates));
  part.columns.push_back(make_column<double>(QType::kFloat, prices));
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, sizes));
  return part;
}

std::shared_ptr<Table> table_of(std::size_t parts, std::size_t rows, bool rises) {
  std::mt19937_64 random(17);
  const auto domain = many_symbols();
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"key", QType::kLong, Attribute::kNone, nullptr},
                   {"time", QType::kTime, Attribute::kNone, nullptr},
                   {"id", QType::kGuid, Attribute::kNone, nullptr},
                   {"rate", QType::kReal, Attribute::kNone, nullptr},
                   {"price", QType::kFloat, Attribute::kNone, nullptr},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> all;
  for (std::size_t p = 0; p < parts; ++p) {
    all.push_back(part_of(random, rows, domain, rises));
    all.back().partition_value = 7000 + static_cast<std::int64_t>(p);
  }
  return std::make_shared<MemoryTable>("quote", schema, std::move(all));
}

Plan plan_of(const std::vector<std::size_t>& by, bool some) {
  Plan plan;
  for (const std::size_t field : by) plan.by.push_back({fmt::format("k{}", field), field});
  if (some) plan.where.push_back({"c", kSize, RangeTest{0, 49'999}, false});
  const auto add = [&](Aggregate aggregate, std::size_t field) {
    Output output{fmt::format("o{}", plan.outputs.size()), aggregate, field, std::nullopt};
    if (aggregate == Aggregate::kWavg) output.weights = kSize;
    plan.outputs.push_back(output);
  };
  for (const Aggregate aggregate :
       {Aggregate::kCount, Aggregate::kSum, Aggregate::kAvg, Aggregate::kMin, Aggregate::kMax,
        Aggregate::kFirst, Aggregate::kLast, Aggregate::kWavg, Aggregate::kDev, Aggregate::kMed})
    add(aggregate, kPrice);
  add(Aggregate::kSum, kSize);
  add(Aggregate::kMax, kDay);
  return plan;
}

// Of `count` groups of rows with these keys, by one thread.
std::uint64_t peak_of_counts(const std::vector<std::int64_t>& keys, std::size_t count) {
  ThreadPool one(1);
  Schema schema;
  schema.fields = {{"key", QType::kLong, Attribute::kNone, nullptr}};
  MemoryTable::Part part;
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, keys));
  const MemoryTable table("t", schema, std::vector<MemoryTable::Part>{std::move(part)});
  Plan plan;
  plan.by.push_back({"key", 0});
  plan.outputs.push_back({"n", Aggregate::kCount, std::nullopt, std::nullopt});
  Workspace workspace(0, *std::pmr::new_delete_resource());
  const auto result = execute(table, plan, {}, one, workspace);
  REQUIRE(result.ok());
  REQUIRE(result->rows == count);
  return workspace.peak_bytes();
}

}  // namespace

TEST_CASE("groups by the million are as the reference has them, whatever their key") {
  ThreadPool one(1);
  ThreadPool two(2);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  const auto [parts, rises] = GENERATE(std::pair(3, false), std::pair(1, true));
  const auto table = table_of(parts, 75'000 / parts, rises);
  for (const auto& by : std::vector<std::vector<std::size_t>>{
           {kKey}, {kTime}, {kId}, {kRate}, {kSym, kTime}, {kDay, kKey}, {kDay, kSym, kId}}) {
    for (const bool some : {false, true}) {
      const Plan plan = plan_of(by, some);
      INFO("first key " << by.front() << " of " << by.size() << (some ? ", some rows" : ""));
      const PlainResult expected = run_by_rows(*table, plan);
      for (ThreadPool* const pool : {&one, &two}) {
        const auto result = execute(*table, plan, {}, *pool, workspace);
        REQUIRE(result.ok());
        REQUIRE(first_difference(to_plain(*result), expected) == kNoDifference);
      }
    }
  }
}

// Collected rows would take 16 bytes each and more.
TEST_CASE("some thousand groups are not spread, however new the first rows' are") {
  constexpr std::size_t kRows = 400'000;
  constexpr std::uint64_t kKeys = 10'000;
  std::mt19937_64 random(4);
  std::vector<std::int64_t> keys(kRows);
  for (auto& key : keys) key = static_cast<std::int64_t>(random() % kKeys) * 1'000'003;
  REQUIRE(peak_of_counts(keys, kKeys) < kRows * 8);
}

TEST_CASE("rows are spread where groups outgrow the caches with many rows to come") {
  constexpr std::size_t kRows = 600'000;
  constexpr std::size_t kFew = 20'000;
  const std::size_t step = morsel_rows(kRows, 1);
  const std::size_t morsels = (kRows + step - 1) / step;
  // All rows of one morsel have keys of their own.
  const auto peak = [&](std::size_t morsel) {
    std::vector<std::int64_t> keys;
    std::size_t fresh = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::size_t key = row / step == morsel ? kFew + fresh++ : row % kFew;
      keys.push_back(static_cast<std::int64_t>(key) * 1'000'003);
    }
    REQUIRE((kFew + fresh > 32'768 && kFew + fresh < 65'536));
    return peak_of_counts(keys, kFew + fresh);
  };
  REQUIRE(peak(morsels - 2) < kRows * 12);
  REQUIRE(peak(morsels / 2) > kRows * 16);
}

TEST_CASE("the last rows of more pairs of symbols than tables hold are not spread") {
  constexpr std::size_t kEach = 300;
  std::vector<std::string> texts;
  for (std::size_t code = 0; code < kEach; ++code) texts.push_back(fmt::format("s{}", code));
  const auto domain = make_domain("sym", texts);
  std::vector<std::int32_t> first, second;
  std::vector<std::int64_t> places;
  // Each pair twice, and then one pair for a long time.
  for (std::size_t row = 0; row < 6 * kEach * kEach; ++row) {
    const std::size_t pair = row < 2 * kEach * kEach ? row % (kEach * kEach) : 0;
    first.push_back(static_cast<std::int32_t>(pair / kEach));
    second.push_back(static_cast<std::int32_t>(pair % kEach));
    places.push_back(static_cast<std::int64_t>(row));
  }
  Schema schema;
  schema.fields = {{"a", QType::kSymbol, Attribute::kNone, domain},
                   {"b", QType::kSymbol, Attribute::kNone, domain},
                   {"place", QType::kLong, Attribute::kNone, nullptr}};
  MemoryTable::Part part;
  part.columns.push_back(make_column<std::int32_t>(QType::kSymbol, first, domain));
  part.columns.push_back(make_column<std::int32_t>(QType::kSymbol, second, domain));
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, places));
  const MemoryTable table("t", schema, std::vector<MemoryTable::Part>{std::move(part)});
  Plan plan;
  plan.by = {{"a", 0}, {"b", 1}};
  plan.last_rows = true;
  plan.outputs.push_back({"place", Aggregate::kNone, 2, std::nullopt});
  Workspace workspace(0, *std::pmr::new_delete_resource());
  for (const std::size_t threads : {1, 2}) {
    ThreadPool pool(threads);
    const auto result = execute(table, plan, {}, pool, workspace);
    REQUIRE(result.ok());
    REQUIRE(result->rows == kEach * kEach);
  }
}
