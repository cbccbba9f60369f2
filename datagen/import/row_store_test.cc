#include "datagen/import/row_store.h"

#include <algorithm>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

const std::vector<QType> kTypes = {QType::kSymbol, QType::kTimespan, QType::kChar, QType::kShort};

struct TestRow {
  std::int32_t symbol;
  std::int64_t time;
};

RowStore store_of(const std::vector<TestRow>& rows) {
  RowStore store(kTypes);
  for (const TestRow& row : rows) {
    if (store.is_full()) store.add_chunk();
    store.put(0, row.symbol);
    store.put(1, row.time);
    store.commit();
  }
  return store;
}

}  // namespace

TEST_CASE("a store without rows takes nothing and has an order without keys") {
  const RowStore store(kTypes);
  CHECK(store.rows() == 0);
  CHECK(store.bytes() == 0);
  CHECK(store.is_full());
  CHECK(store.row_bytes() == 4 + 8 + 1 + 2);
  const DayOrder order = order_rows(store, std::vector<std::uint32_t>{0, 1});
  CHECK(order.rows.empty());
  CHECK(order.index.keys.empty());
  CHECK(order.index.offsets == std::vector<std::int64_t>{0});
}

TEST_CASE("values are there again, over many chunks, and a row that is not committed is not") {
  RowStore store(kTypes);
  constexpr std::uint64_t kRowCount = 200'000;
  for (std::uint64_t row = 0; row < kRowCount; ++row) {
    if (store.is_full()) store.add_chunk();
    store.put(2, '?');  // as a line that is left out in its midst
    store.put(0, static_cast<std::int32_t>(row));
    store.put(1, static_cast<std::int64_t>(row) * 1'000'000'007);
    store.put(2, static_cast<char>(row % 128));
    store.put(3, static_cast<std::int16_t>(row % 30'000));
    store.commit();
  }
  REQUIRE(store.rows() == kRowCount);
  for (std::uint64_t row = 0; row < kRowCount; row += 777) {
    REQUIRE(store.get<std::int32_t>(0, row) == static_cast<std::int32_t>(row));
    REQUIRE(store.get<std::int64_t>(1, row) == static_cast<std::int64_t>(row) * 1'000'000'007);
    REQUIRE(store.get<char>(2, row) == static_cast<char>(row % 128));
    REQUIRE(store.get<std::int16_t>(3, row) == static_cast<std::int16_t>(row % 30'000));
  }
}

TEST_CASE("rows are ordered by symbol, then by time, then as they came") {
  const RowStore store =
      store_of({{2, 5}, {0, 9}, {2, 5}, {0, 3}, {2, kNullLong}, {1, 1}, {0, 3}, {2, 4}});
  // The order of texts: code 2 before 0 before 1; code 3 has no row.
  const DayOrder order = order_rows(store, std::vector<std::uint32_t>{2, 3, 0, 1});
  CHECK(order.rows == std::vector<std::uint32_t>{4, 7, 0, 2, 3, 6, 1, 5});
  CHECK(order.index.keys == std::vector<std::int64_t>{2, 0, 1});
  CHECK(order.index.offsets == std::vector<std::int64_t>{0, 4, 7, 8});
}

TEST_CASE("each text has one code, in the order of first appearance") {
  SymbolTable table;
  CHECK(table.texts().empty());
  CHECK(codes_in_text_order(table.texts()).empty());
  CHECK(table.code_of("MSFT") == 0);
  CHECK(table.code_of("") == 1);
  CHECK(table.code_of("A") == 2);
  CHECK(table.code_of("MSFT") == 0);
  CHECK(table.texts() == std::vector<std::string>{"MSFT", "", "A"});
  CHECK(codes_in_text_order(table.texts()) == std::vector<std::uint32_t>{1, 2, 0});
}

TEST_CASE("codes stay when there are many") {
  SymbolTable table;
  for (int i = 0; i < 20'000; ++i) REQUIRE(table.code_of("S" + std::to_string(i)) == i);
  for (int i = 0; i < 20'000; ++i) REQUIRE(table.code_of("S" + std::to_string(i)) == i);
}

}  // namespace hdbench::datagen
