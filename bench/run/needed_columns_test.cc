#include "bench/run/needed_columns.h"

#include <cstdint>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench::bench {
namespace {

MemoryTable three_days() {
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"bid", QType::kLong, Attribute::kNone, nullptr},
                   {"ask", QType::kLong, Attribute::kNone, nullptr}};
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

TEST_CASE("no queries need no columns") {
  const MemoryTable table = three_days();
  CHECK(NeededColumns(table).places().empty());
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

}  // namespace
}  // namespace hdbench::bench
