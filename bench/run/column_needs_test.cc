#include "bench/run/column_needs.h"

#include <cstdint>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench::bench {
namespace {

// `followed`: ask is a linked table's column.
MemoryTable two_days(bool followed = false) {
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"bid", QType::kLong, Attribute::kNone, nullptr},
                   {"ask", QType::kLong, Attribute::kNone, nullptr}};
  schema.fields.back().followed = followed;
  std::vector<MemoryTable::Part> parts;
  const std::vector<std::int64_t> values{1, 2, 3};
  for (const std::int64_t day : {10, 11}) {
    MemoryTable::Part part;
    part.partition_value = day;
    part.columns.push_back(make_column<std::int64_t>(QType::kLong, values));
    part.columns.push_back(make_column<std::int64_t>(QType::kLong, values));
    parts.push_back(std::move(part));
  }
  return MemoryTable("quote", schema, std::move(parts));
}

TEST_CASE(
    "a column needs the bytes of the partitions that are read; the partitions' own has none") {
  const MemoryTable table = two_days();
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
  CHECK(read[1].needed_bytes == 24);
  CHECK(read[1].bytes == 48);
}

TEST_CASE("a column of a linked table is told where it is read") {
  const MemoryTable table = two_days(true);
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
