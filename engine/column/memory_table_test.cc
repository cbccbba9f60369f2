#include "engine/column/memory_table.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

Schema dated_schema() {
  return {{{"date", QType::kDate, Attribute::kNone, nullptr},
           {"bid", QType::kFloat, Attribute::kNone, nullptr}},
          true};
}

TEST_CASE("an empty column has an empty index") {
  const Column column = make_column<std::int64_t>(QType::kLong, {});
  const auto index = make_parted_index(column);
  REQUIRE(index.has_value());
  CHECK(index->keys.empty());
  CHECK(index->offsets == std::vector<std::int64_t>{0});
}

TEST_CASE("equal adjacent values are one part of the index, in order of appearance") {
  const std::int32_t codes[] = {3, 3, 0, 7, 7, 7};
  const auto index = make_parted_index(make_column<std::int32_t>(QType::kSymbol, codes));
  REQUIRE(index.has_value());
  CHECK(index->keys == std::vector<std::int64_t>{3, 0, 7});
  CHECK(index->offsets == std::vector<std::int64_t>{0, 2, 3, 6});
}

TEST_CASE("a value that comes back is not parted") {
  const std::int64_t values[] = {1, 2, 1};
  CHECK_FALSE(make_parted_index(make_column<std::int64_t>(QType::kLong, values)).has_value());
}

TEST_CASE("floats are parted by order key, so both zeros are one value") {
  const double values[] = {0.0, -0.0, 1.5};
  const auto index = make_parted_index(make_column<double>(QType::kFloat, values));
  REQUIRE(index.has_value());
  CHECK(index->offsets == std::vector<std::int64_t>{0, 2, 3});
}

TEST_CASE("a partitioned table gives its parts without the virtual field") {
  const double first[] = {1.0, 2.0};
  const double second[] = {3.0};
  const MemoryTable table("quote", dated_schema(),
                          {{7311, {make_column<double>(QType::kFloat, first)}},
                           {7312, {make_column<double>(QType::kFloat, second)}}});
  CHECK(table.part_count() == 2);
  CHECK(table.partition_value(1) == 7312);
  CHECK(table.rows(0).value() == 2);
  const Column* column = table.column(1, 1).value();
  double value = 0;
  std::memcpy(&value, column->data, sizeof value);
  CHECK(value == 3.0);
}

}  // namespace
}  // namespace hdbench
