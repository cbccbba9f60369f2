#include "engine/exec/computed_columns.h"

#include <atomic>
#include <memory_resource>
#include <numeric>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/exec/prefetcher.h"
#include "engine/testing/row_reference.h"

using namespace hdbench;

namespace {

constexpr std::size_t kTradeSym = 1, kTradePrice = 2, kTradeSize = 3, kFirstComputed = 4;
constexpr std::uint64_t kTradeRows = 10000;

// Two days of prices of a quarter each, sizes that count up, and two symbols.
std::shared_ptr<Table> trades() {
  const auto domain = make_domain("sym", {"a", "b"});
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"price", QType::kFloat, Attribute::kNone, nullptr},
                   {"size", QType::kInt, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> parts;
  for (std::int64_t day = 0; day < 2; ++day) {
    std::vector<std::uint8_t> syms(kTradeRows);
    std::vector<double> prices(kTradeRows);
    std::vector<std::int32_t> sizes(kTradeRows);
    std::iota(sizes.begin(), sizes.end(), 0);
    for (std::size_t row = 0; row < kTradeRows; ++row) {
      syms[row] = row % 2;
      prices[row] = static_cast<double>(row % 100) / 4;
    }
    parts.push_back({7000 + day,
                     {make_column<std::uint8_t>(QType::kSymbol, syms, domain),
                      make_column<double>(QType::kFloat, prices),
                      make_column<std::int32_t>(QType::kInt, sizes)}});
  }
  return std::make_shared<MemoryTable>("trade", schema, std::move(parts));
}

ExpressionNode trade_node(Operation operation, QType type,
                          std::array<std::uint32_t, 3> arguments = {}, std::size_t field = 0) {
  return {operation, type, arguments, field, {}, {}, {}};
}

// price*size
ComputedField value_of_trade() {
  return {"price*size",
          {{trade_node(Operation::kField, QType::kFloat, {}, kTradePrice),
            trade_node(Operation::kField, QType::kInt, {}, kTradeSize),
            trade_node(Operation::kCast, QType::kFloat, {1, 0, 0}),
            trade_node(Operation::kMultiply, QType::kFloat, {0, 2, 0})}}};
}
ComputedField row_of_trade() { return {"i", {{trade_node(Operation::kRow, QType::kLong)}}}; }

struct Executed {
  PlainResult rows;
  ExecuteStats stats;
};

Executed run_trades(const Table& table, const Plan& plan) {
  static ThreadPool pool(2);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  Executed executed;
  {
    const auto result = execute(table, plan, {}, pool, workspace, &executed.stats);
    REQUIRE(result.ok());
    executed.rows = to_plain(*result);
  }
  REQUIRE(workspace.used_bytes() == 0);
  REQUIRE(first_difference(executed.rows, run_by_rows(table, plan)) == kNoDifference);
  return executed;
}

}  // namespace

TEST_CASE("what a computed field is made of is read once, whatever uses it") {
  const auto table = trades();
  Plan plan;
  plan.computed = {value_of_trade(), row_of_trade()};
  plan.outputs = {{"s", Aggregate::kSum, kFirstComputed, {}},
                  {"m", Aggregate::kMax, kFirstComputed, {}},
                  {"p", Aggregate::kMax, kTradePrice, {}}};
  const std::vector<std::uint64_t> once{0, 0, 2 * kTradeRows * 8, 2 * kTradeRows * 4};
  CHECK(run_trades(*table, plan).stats.reads[0].bytes_by_field == once);
  plan.where = {{"c", kTradePrice, RangeTest{1, INT64_MAX}, false},
                {"d", kFirstComputed, RangeTest{1, INT64_MAX}, false}};
  const auto filtered = run_trades(*table, plan).stats.reads[0].bytes_by_field;
  CHECK(filtered[kTradePrice] == once[kTradePrice]);
  CHECK(filtered[kTradeSize] == once[kTradeSize]);
  plan.outputs = {{"v", Aggregate::kNone, kFirstComputed, {}},
                  {"w", Aggregate::kNone, kFirstComputed, {}}};
  plan.where.clear();
  CHECK(run_trades(*table, plan).stats.reads[0].bytes_by_field == once);
}

TEST_CASE("a meter is told of every byte of a computed field's inputs, a store of them ahead") {
  struct CountingMeter final : AccessMeter {
    void access(const Access& access) override {
      if (access.kind == AccessKind::kRead) bytes += access.bytes;
    }
    std::atomic<std::uint64_t> bytes{0};
  } meter;
  struct DryStore final : Store {
    Result<Mapping> map(const std::filesystem::path& /*path*/) override { return Mapping{}; }
    Result<Region> allocate(std::size_t /*bytes*/) override { return Region{}; }
    void copy_in(std::byte* /*to*/, std::span<const std::byte> /*from*/) override {}
    bool will_need(std::span<const std::byte> bytes) override {
      asked += bytes.size();
      return true;
    }
    bool is_in_memory(std::span<const std::byte> /*bytes*/) override { return false; }
    std::atomic<std::uint64_t> asked{0};
  } store;
  const auto table = trades();
  ThreadPool pool(2);
  for (const bool is_grouped : {false, true}) {
    Prefetcher prefetcher(store, {});
    Plan plan;
    plan.computed = {value_of_trade(), row_of_trade()};
    plan.outputs = {{"v", is_grouped ? Aggregate::kSum : Aggregate::kNone, kFirstComputed, {}}};
    Workspace workspace(0, *std::pmr::new_delete_resource());
    ExecuteStats stats;
    meter.bytes = 0;
    const auto result = execute(*table, plan, {.meter = &meter, .prefetcher = &prefetcher}, pool,
                                workspace, &stats);
    REQUIRE(result.ok());
    CHECK(meter.bytes == stats.bytes_read);
    CHECK(stats.bytes_read == 2 * kTradeRows * 12);
  }
  CHECK(store.asked > 0);
}

TEST_CASE("i counts the rows of each partition, selected ones too") {
  const auto table = trades();
  Plan plan;
  plan.computed = {value_of_trade(), row_of_trade()};
  plan.where = {{"i<3", kFirstComputed + 1, RangeTest{INT64_MIN, 2}, false}};
  plan.outputs = {{"date", Aggregate::kNone, 0, {}},
                  {"i", Aggregate::kNone, kFirstComputed + 1, {}}};
  CHECK(run_trades(*table, plan).rows.rows.size() == 6);
  plan.where = {{"size within", kTradeSize, SetTest{{5, 1023, 1024, 9999}}, false}};
  CHECK(run_trades(*table, plan).rows.rows.size() == 8);
}

TEST_CASE("any of nothing is false, all of nothing true, and count distinct 0") {
  const auto table = trades();
  Plan plan;
  plan.computed = {{"price=0",
                    {{trade_node(Operation::kField, QType::kFloat, {}, kTradePrice),
                      trade_node(Operation::kNot, QType::kBoolean, {0, 0, 0})}}}};
  plan.outputs = {{"any", Aggregate::kAny, kFirstComputed, {}},
                  {"all", Aggregate::kAll, kFirstComputed, {}},
                  {"n", Aggregate::kCountDistinct, kTradeSym, {}}};
  CHECK(run_trades(*table, plan).rows.rows.front() ==
        std::vector<std::string>{"01", "00", "0200000000000000"});
  plan.where = {{"size<0", kTradeSize, RangeTest{INT64_MIN, -1}, false}};
  CHECK(run_trades(*table, plan).rows.rows.front() ==
        std::vector<std::string>{"00", "01", "0000000000000000"});
}

TEST_CASE("a limit of the workspace stops what computes, and all is given back") {
  const auto table = trades();
  ThreadPool pool(2);
  Plan plan;
  plan.computed = {value_of_trade(), row_of_trade()};
  plan.by = {{"value", kFirstComputed}};
  plan.outputs = {{"m", Aggregate::kMax, kFirstComputed + 1, {}}};
  for (const std::uint64_t limit : {1000, 10000, 60000, 100000}) {
    Workspace workspace(limit, *std::pmr::new_delete_resource());
    const auto result = execute(*table, plan, {}, pool, workspace);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::kLimit);
    CHECK(workspace.used_bytes() == 0);
  }
}
