#include "bench/run/needed_columns.h"

#include <cstdint>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench::bench {
namespace {

// `followed`: ask is a linked table's column.
MemoryTable three_days(bool followed = false) {
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"bid", QType::kLong, Attribute::kNone, nullptr},
                   {"ask", QType::kLong, Attribute::kNone, nullptr}};
  schema.fields.back().followed = followed;
  std::vector<MemoryTable::Part> parts;
  const std::vector<std::int64_t> values{1, 2};
  for (const std::int64_t day : {10, 11, 12}) {
    MemoryTable::Part part;
    part.partition_value = day;
    part.columns.push_back(make_column<std::int64_t>(QType::kLong, values));
    part.columns.push_back(make_column<std::int64_t>(QType::kLong, values));
    parts.push_back(std::move(part));
  }
  return MemoryTable("quote", schema, std::move(parts));
}

std::vector<std::vector<std::size_t>> pairs(const NeededColumns& needed) {
  std::vector<std::vector<std::size_t>> all;
  for (const auto& place : needed.places()) all.push_back({place.part, place.field});
  return all;
}

TEST_CASE("a first condition on the partition field leaves out the other partitions") {
  const MemoryTable table = three_days();
  Plan plan;
  plan.outputs.push_back({"date", Aggregate::kNone, 0, {}});
  plan.outputs.push_back({"ask", Aggregate::kNone, 2, {}});
  plan.where.push_back({"date within 11 12", 0, RangeTest{11, 12}, false});
  NeededColumns needed(table);
  needed.add(table, plan);
  CHECK(pairs(needed) == std::vector<std::vector<std::size_t>>{{1, 2}, {2, 2}});
}

TEST_CASE("conditions, keys and weights are needed, and several queries add up") {
  const MemoryTable table = three_days();
  Plan by_bid;
  by_bid.outputs.push_back({"n", Aggregate::kCount, {}, {}});
  by_bid.by.push_back({"bid", 1});
  by_bid.where.push_back({"date in 10", 0, SetTest{{10}}, false});
  Plan weighted;
  weighted.outputs.push_back({"w", Aggregate::kWavg, 1, 2});
  weighted.where.push_back({"date=12", 0, SetTest{{12}}, false});
  NeededColumns needed(table);
  needed.add(table, by_bid);
  needed.add(table, weighted);
  CHECK(pairs(needed) == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 1}, {2, 2}});
}

TEST_CASE("mapping tells its progress and stops when it is told to") {
  const MemoryTable table = three_days();
  Plan plan;
  plan.outputs.push_back({"bid", Aggregate::kNone, 1, {}});
  NeededColumns needed(table);
  needed.add(table, plan);
  ThreadPool pool(2);
  std::atomic<std::size_t> calls{0};
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> total_seen{0};
  const auto count = [&](std::size_t, std::size_t total) {
    total_seen = total;
    ++calls;
  };
  CHECK(needed.map_all(pool, stop, count).ok());
  CHECK(calls == 3);
  CHECK(total_seen == 3);
  stop = true;
  CHECK(needed.map_all(pool, stop, count).error().message == "interrupted");
}

TEST_CASE(
    "a column needs the bytes of the partitions that are read; the partitions' own has none") {
  const MemoryTable table = three_days();
  NeededColumns needed(table);
  const auto unread = column_needs(table, needed);
  REQUIRE(unread.size() == 2);
  CHECK(unread[0].column == "bid");
  CHECK(unread[0].bytes == 48);
  CHECK(unread[0].needed_bytes == 0);
  Plan plan;
  plan.outputs.push_back({"ask", Aggregate::kNone, 2, {}});
  plan.where.push_back({"date=11", 0, SetTest{{11}}, false});
  needed.add(table, plan);
  const auto read = column_needs(table, needed);
  CHECK(read[0].needed_bytes == 0);
  CHECK(read[1].needed_bytes == 16);
  CHECK(read[1].bytes == 48);
}

TEST_CASE("a column of a linked table is reported where it is read") {
  const MemoryTable table = three_days(true);
  NeededColumns needed(table);
  CHECK(column_needs(table, needed).size() == 1);
  Plan plan;
  plan.outputs.push_back({"ask", Aggregate::kNone, 2, {}});
  needed.add(table, plan);
  CHECK(column_needs(table, needed).size() == 2);
}

TEST_CASE("needs of several sets of queries are the greater of each column") {
  std::vector<ColumnNeed> all{{"quote", "bid", 48, 24}};
  merge_needs(all, {{"quote", "bid", 48, 8}, {"trade", "bid", 10, 10}});
  REQUIRE(all.size() == 2);
  CHECK(all[0].needed_bytes == 24);
  CHECK(all[1].table == "trade");
}

}  // namespace

}  // namespace hdbench::bench
