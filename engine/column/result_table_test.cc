#include "engine/column/result_table.h"

#include <cstring>
#include <vector>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

template <typename T>
ResultColumn column_of(std::string name, QType type, const std::vector<T>& values) {
  ResultColumn column{std::move(name), type, sizeof(T), {}, nullptr};
  column.buffer = Buffer(*std::pmr::new_delete_resource(), values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(column.buffer.data(), values.data(), values.size() * sizeof(T));
  return column;
}

ResultTable table_of(ResultColumn column, std::uint64_t rows) {
  ResultTable table;
  table.rows = rows;
  table.columns.push_back(std::move(column));
  return table;
}

}  // namespace

TEST_CASE("an empty result has a checksum of its schema") {
  const auto a = table_of(column_of<std::int64_t>("a", QType::kLong, {}), 0);
  const auto b = table_of(column_of<std::int64_t>("b", QType::kLong, {}), 0);
  REQUIRE(checksum(a) != checksum(b));
}

TEST_CASE("the width that codes are kept in does not show in a checksum") {
  const auto wide = table_of(column_of<std::int64_t>("s", QType::kSymbol, {0, 1, 700}), 3);
  const auto half = table_of(column_of<std::int32_t>("s", QType::kSymbol, {0, 1, 700}), 3);
  const auto narrow = table_of(column_of<std::uint16_t>("s", QType::kSymbol, {0, 1, 700}), 3);
  REQUIRE(checksum(wide) == checksum(half));
  REQUIRE(checksum(wide) == checksum(narrow));
  const auto few_wide = table_of(column_of<std::int64_t>("s", QType::kSymbol, {0, 255, 1}), 3);
  const auto few_narrow = table_of(column_of<std::uint8_t>("s", QType::kSymbol, {0, 255, 1}), 3);
  REQUIRE(checksum(few_wide) == checksum(few_narrow));
}

TEST_CASE("one changed value changes the checksum, as does the order of rows") {
  const auto a = table_of(column_of<std::int64_t>("a", QType::kLong, {1, 2, 3}), 3);
  const auto b = table_of(column_of<std::int64_t>("a", QType::kLong, {1, 3, 2}), 3);
  REQUIRE(checksum(a) != checksum(b));
}

TEST_CASE("nested cells count by content, not by where it lies") {
  const char first[] = "abc";
  const char second[] = "xabc";
  const auto cell = [](const char* text) {
    return NestedCell{reinterpret_cast<const std::byte*>(text), 3, 10, false, 0};
  };
  const auto a = table_of(column_of<NestedCell>("c", QType::kNested, {cell(first)}), 1);
  const auto b = table_of(column_of<NestedCell>("c", QType::kNested, {cell(second + 1)}), 1);
  REQUIRE(checksum(a) == checksum(b));
}

TEST_CASE("a buffer gives its bytes back once, also when moved") {
  std::pmr::monotonic_buffer_resource resource;
  Buffer a(resource, 100);
  Buffer b = std::move(a);
  REQUIRE(b.bytes() == 100);
  REQUIRE(a.bytes() == 0);
  a = std::move(b);
  REQUIRE(a.bytes() == 100);
}
