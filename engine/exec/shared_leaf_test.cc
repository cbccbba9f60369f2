#include "engine/exec/shared_leaf.h"

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/testing/test_columns.h"
#include "engine/testing/thread_ranks.h"

namespace hdbench {
namespace {

using testing::execute_by_ranks;
using testing::Sharing;

// Ten days of 100 rows: date, sym, size.
std::shared_ptr<Table> ten_days() {
  const auto domain =
      std::make_shared<const Domain>("sym", std::vector<std::string_view>{"a", "b", "c"}, nullptr);
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> parts;
  for (std::int64_t day = 0; day < 10; ++day) {
    std::vector<std::int64_t> codes;
    std::vector<std::int64_t> sizes;
    for (std::int64_t row = 0; row < 100; ++row) {
      codes.push_back((row + day) % 3);
      sizes.push_back(1000 * day + row);
    }
    MemoryTable::Part part;
    part.partition_value = day;
    part.columns = {make_column<std::int64_t>(QType::kSymbol, codes, domain),
                    make_column<std::int64_t>(QType::kLong, sizes)};
    parts.push_back(std::move(part));
  }
  return std::make_shared<MemoryTable>("trade", std::move(schema), std::move(parts));
}

Plan sums_by_symbol() {
  Plan plan;
  plan.by = {{"sym", 1}};
  plan.outputs = {{"total", Aggregate::kSum, 2, {}}, {"latest", Aggregate::kLast, 2, {}}};
  return plan;
}

Plan rows_of_symbol() {
  Plan plan;
  plan.where = {{"size>0", 2, RangeTest{1, 1 << 20}, false}};
  plan.outputs = {{"sym", Aggregate::kNone, 1, {}}, {"size", Aggregate::kNone, 2, {}}};
  return plan;
}

TEST_CASE("what several ranks read gives one process's result, and counts as much") {
  const auto table = ten_days();
  ThreadPool pool(1);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  for (const Plan& plan : {sums_by_symbol(), rows_of_symbol()}) {
    ExecuteStats alone;
    const auto expected = execute(*table, plan, {}, pool, workspace, &alone);
    REQUIRE(expected.ok());
    for (const Sharing sharing : {Sharing::kRoundRobin, Sharing::kLastOnly}) {
      for (const std::size_t count : {1U, 2U, 4U, 20U}) {
        ExecuteStats stats;
        const auto shared = execute_by_ranks(*table, plan, {}, count, sharing, workspace, &stats);
        REQUIRE(shared.ok());
        CHECK(checksum(*shared) == checksum(*expected));
        CHECK(stats.rows_in == alone.rows_in);
        CHECK(stats.parts_scanned == alone.parts_scanned);
        // Each rank reads its own last row of every group.
        CHECK(stats.bytes_read >= alone.bytes_read);
      }
    }
  }
}

TEST_CASE("of no rows several ranks give what one process gives") {
  const auto table = ten_days();
  ThreadPool pool(1);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  Plan plan;
  plan.where = {{"size>9", 2, RangeTest{1 << 20, 1 << 21}, false}};
  plan.outputs = {{"n", Aggregate::kCount, {}, {}}, {"latest", Aggregate::kLast, 1, {}}};
  const auto expected = execute(*table, plan, {}, pool, workspace);
  const auto shared = execute_by_ranks(*table, plan, {}, 3, Sharing::kRoundRobin, workspace);
  REQUIRE(expected.ok());
  REQUIRE(shared.ok());
  CHECK(shared->rows == 1);
  CHECK(checksum(*shared) == checksum(*expected));
}

TEST_CASE("-w holds on both ends, and the next query runs") {
  const auto table = ten_days();
  Workspace enough(0, *std::pmr::new_delete_resource());
  const auto of_other =
      execute_by_ranks(*table, rows_of_symbol(), {}, 3, Sharing::kRoundRobin, enough, nullptr, 500);
  REQUIRE_FALSE(of_other.ok());
  CHECK(of_other.error().kind == ErrorKind::kLimit);
  CHECK(of_other.error().message.starts_with("rank 1: -w abort"));
  Workspace little(9000, *std::pmr::new_delete_resource());
  const auto of_first =
      execute_by_ranks(*table, rows_of_symbol(), {}, 3, Sharing::kLastOnly, little);
  REQUIRE_FALSE(of_first.ok());
  CHECK(of_first.error().message.starts_with("-w abort"));
  CHECK(little.used_bytes() == 0);
}

// Wherever rank 0 runs out of memory: heads, columns, groups or their order.
TEST_CASE("no message is left over whatever -w stops") {
  const auto table = ten_days();
  Plan plan;
  plan.by = {{"size", 2}};
  plan.outputs = {{"middle", Aggregate::kMed, 2, {}}, {"sym", Aggregate::kLast, 1, {}}};
  ThreadPool pool(1);
  Workspace enough(0, *std::pmr::new_delete_resource());
  const auto expected = execute(*table, plan, {}, pool, enough);
  REQUIRE(expected.ok());
  std::size_t stopped = 0;
  std::size_t done = 0;
  for (std::uint64_t bytes = 1000; bytes < 2'000'000; bytes += bytes / 20) {
    Workspace limited(bytes, *std::pmr::new_delete_resource());
    const auto result = execute_by_ranks(*table, plan, {}, 3, Sharing::kRoundRobin, limited);
    result.ok() ? ++done : ++stopped;
    if (result.ok()) CHECK(checksum(*result) == checksum(*expected));
    if (!result.ok()) CHECK(result.error().kind == ErrorKind::kLimit);
  }
  CHECK(stopped > 10);
  CHECK(done > 3);
}

}  // namespace
}  // namespace hdbench
