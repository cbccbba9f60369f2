#include "engine/shaping/row_lists.h"

#include <cstring>
#include <memory_resource>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

using namespace hdbench;

namespace {

template <typename T>
ResultColumn listed_column(QType type, const std::vector<T>& values,
                           std::shared_ptr<const Domain> domain = nullptr) {
  ResultColumn column{"c", type, sizeof(T), {}, std::move(domain)};
  column.buffer = Buffer(*std::pmr::new_delete_resource(), values.size() * sizeof(T));
  std::memcpy(column.buffer.data(), values.data(), values.size() * sizeof(T));
  return column;
}

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
  table.columns.push_back(listed_column<std::uint8_t>(QType::kSymbol, {0, 1, 0, 1}, domain));
  table.columns.push_back(listed_column<std::int64_t>(QType::kLong, {1, 2, 3, 4}));
  table.columns.push_back(listed_column<std::uint8_t>(QType::kSymbol, {0, 0, 1, 1}, domain));
  table.columns.push_back(listed_column<std::int64_t>(QType::kLong, {7, 8, 7, 8}));
  AccessLog accesses(0, nullptr);
  std::pmr::memory_resource& heap = *std::pmr::new_delete_resource();
  const ResultTable lists =
      list_rows({1, {false, true, true, false}, false}, std::move(table), heap, accesses);
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
