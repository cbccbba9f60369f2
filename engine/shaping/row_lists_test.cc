#include "engine/shaping/row_lists.h"

#include <cstring>
#include <memory_resource>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/testing/test_columns.h"

using namespace hdbench;

namespace {

NestedCell cell_at(const ResultColumn& column, std::size_t row) {
  NestedCell cell;
  std::memcpy(&cell, column.buffer.data() + row * sizeof(cell), sizeof(cell));
  return cell;
}

}  // namespace

TEST_CASE("rows of one key become one row of lists, keys rising") {
  const auto domain = make_domain("sym", {"z", "a"});
  ResultTable table;
  table.rows = 4;
  table.columns.push_back(
      testing::result_column<std::uint8_t>(QType::kSymbol, {0, 1, 0, 1}, domain));
  table.columns.push_back(testing::result_column<std::int64_t>(QType::kLong, {1, 2, 3, 4}));
  table.columns.push_back(
      testing::result_column<std::uint8_t>(QType::kSymbol, {0, 0, 1, 1}, domain));
  table.columns.push_back(testing::result_column<std::int64_t>(QType::kLong, {7, 8, 7, 8}));
  AccessLog accesses(0, nullptr);
  std::pmr::memory_resource& heap = *std::pmr::new_delete_resource();
  const ResultTable lists = list_rows({1, {false, true, true, false}, false}, std::move(table),
                                      testing::pool(), heap, accesses);
  REQUIRE(lists.rows == 2);
  const NestedCell numbers = cell_at(lists.columns[1], 0);
  CHECK(numbers.count == 2);
  CHECK(numbers.kind == static_cast<std::uint8_t>(QType::kLong));
  std::int64_t second = 0;
  std::memcpy(&second, numbers.data + 8, sizeof(second));
  CHECK(second == 4);
  const NestedCell symbols = cell_at(lists.columns[2], 1);
  CHECK(symbols.kind == kSymbolsType);
  CHECK(std::string_view(reinterpret_cast<const char*>(symbols.data), symbols.count) ==
        std::string_view("z\0a\0", 4));
  std::int64_t atom = 0;
  std::memcpy(&atom, lists.columns[3].buffer.data(), sizeof(atom));
  CHECK(atom == 8);
}
